/** What refers to what in a document. */

/** The references of a document, each with the place where it stands. Names of properties are none. */
export function referencesIn(part: unknown, at = '#'): (readonly [at: string, reference: string])[] {
  if (typeof part !== 'object' || part === null) return []
  return Object.entries(part).flatMap(([name, value]) => {
    const here = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (name === '$ref' && typeof value === 'string') return [[here, value] as const]
    return referencesIn(value, here)
  })
}

/** What a reference leads to, by RFC 6901; `undefined` where it leads nowhere. */
export const found = (document: object, reference: string): unknown =>
  decodeURIComponent(reference.slice(1))
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, name) =>
        typeof part === 'object' && part !== null && Object.hasOwn(part, name)
          ? (part as Record<string, unknown>)[name]
          : undefined,
      document,
    )

/** What is wrong with the components of a document: references that lead nowhere, components that nothing refers to, bad names. */
export function faultsOfComponents(document: { readonly paths: object; readonly components: object }): string[] {
  const references = referencesIn(document)
  const dangling = references.filter(([, reference]) => found(document, reference) === undefined)
  const reached = new Set<string>()
  const follow = (part: unknown): void => {
    for (const [, reference] of referencesIn(part)) {
      if (reached.size < reached.add(reference).size) follow(found(document, reference))
    }
  }
  follow(document.paths)
  const names = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, parts]) => Object.keys(parts as object).map((name) => [kind, name] as const))
  return [
    ...dangling.map(([at, reference]) => `${at} refers to ${reference}, which is not there`),
    ...names.flatMap(([kind, name]) => [
      ...(reached.has(`#/components/${kind}/${name}`) ? [] : [`nothing refers to ${kind}/${name}`]),
      ...(/^[a-zA-Z0-9._-]+$/.test(name) ? [] : [`${kind}/${name} is no name of a component`]),
    ]),
  ]
}
