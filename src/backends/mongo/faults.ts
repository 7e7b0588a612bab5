/** What a filter asks for that a schema does not have: a filter out of a client's JSON may ask for anything. */
import type { Filter, Path, Some } from '../../ast/index.ts'
import { quoteName, type Issue } from '../../issue/index.ts'
import { holdsLiteral, type Field, type Fields, type Schema } from '../../language/index.ts'
import { dotted, spanOf, typeOf, type Leaf } from './leaf.ts'

/** Where paths start: at the document, or at an entry of the list of that dotted path. */
interface Start {
  readonly list: string
  readonly field: Field
}

const nameOf = (list: string, path: Path): string => {
  if (path.length > 0) return dotted(list, path)
  return list === '' ? 'the document' : `an entry of ${list}`
}

/**
 * One issue for each leaf or `some` that the schema has no field for (`backend_unmapped`), or whose field cannot have
 * such a value (`backend_unsupported`).
 */
export function schemaFaults(filter: Filter, { fields }: Schema): Issue[] {
  const issues: Issue[] = []
  const unsupported = (node: Leaf | Some, list: string, path: Path, why: string): undefined => {
    const name = dotted(list, path)
    const message = `${nameOf(list, path)} ${why}`
    issues.push({ code: 'backend_unsupported', message, ...spanOf(node), ...(name !== '' && { path: name }) })
  }

  /** The field that a path ends in, or the refusal. */
  const fieldOf = (node: Leaf | Some, { list, field: start }: Start): Field | undefined => {
    let field = start
    for (const [at, name] of node.path.entries()) {
      if (field.type === 'list') return unsupported(node, list, node.path.slice(0, at), inList)
      const inside: Fields = field.type === 'object' ? field.fields : {}
      if (!Object.hasOwn(inside, name)) {
        const message = `the schema has no field ${quoteName(dotted(list, node.path))}`
        issues.push({ code: 'backend_unmapped', message, ...spanOf(node) })
        return undefined
      }
      field = inside[name]!
    }
    return field
  }

  const visit = (node: Filter, start: Start): void => {
    switch (node.kind) {
      case 'and':
      case 'or':
        for (const member of node.filters) visit(member, start)
        return
      case 'not':
        return visit(node.filter, start)
      case 'some': {
        const field = fieldOf(node, start)
        if (field === undefined) return
        if (field.type === 'list')
          return visit(node.filter, { list: dotted(start.list, node.path), field: field.entry })
        return unsupported(node, start.list, node.path, `has the type ${field.type} in the schema, not list`)
      }
      default: {
        const field = fieldOf(node, start)
        if (field === undefined) return
        if (field.type === 'list') return unsupported(node, start.list, node.path, inList)
        const type = typeOf(node)
        if (type === undefined || holdsLiteral(field, type)) return
        return unsupported(node, start.list, node.path, `has the type ${field.type} in the schema, not ${type}`)
      }
    }
  }
  visit(filter, { list: '', field: { type: 'object', fields } })
  return issues
}
const inList = "has the type list in the schema: only a 'some' reaches its entries"
