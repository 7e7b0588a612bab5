/**
 * Writes docs/reference: a page for each import of the package, made from the doc comments (`npm run reference`). Other pages there are
 * written by hand.
 * TypeDoc reads the entries of the package, and names their pages by the import.
 */
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Application, Converter, ReflectionKind } from 'typedoc'
import { entry as sources } from '../../rollup.config.ts'
import manifest from '../../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '../..')
const out = join(root, 'docs/reference')

/** Import → source file: `./sql` is built as dist/sql.js, out of the entry `sql`. */
const entries = Object.entries(manifest.exports)
  .filter(([, target]) => typeof target === 'object')
  .map(([subpath, { import: target }]) => {
    const entry = /^\.\/dist\/(.*)\.js$/.exec(target.default)[1]
    return { name: `urlwhere${subpath.slice(1)}`, source: sources[entry] }
  })

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown'],
  entryPoints: entries.map(({ source }) => join(root, source)),
  tsconfig: join(root, 'tsconfig.json'),
  // The check has compiled all of it already.
  skipErrorChecking: true,
  out,
  cleanOutputDir: false,
  readme: 'none',
  router: 'module',
  disableSources: true,
  excludeInternal: true,
  hideBreadcrumbs: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  groupOrder: ['Functions', 'Variables', 'Interfaces', 'Type Aliases', '*'],
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  tableColumnSettings: { hideSources: true, hideModifiers: true, hideInherited: true, hideOverrides: true },
  // Types that callers never name, but which the signatures show.
  validation: { notExported: false },
})
// The page of a module is named by its import.
app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    const file = project.getSymbolIdFromReflection(module)?.fileName
    module.name = entries.find(({ source }) => file?.endsWith(source))?.name ?? module.name
  }
})
const project = await app.convert()
if (project === undefined) process.exit(1)
for (const generated of ['urlwhere', 'urlwhere.md']) await rm(join(out, generated), { recursive: true, force: true })
await app.generateOutputs(project)

/** What the examples of doc comments take for granted. */
const given = (await readFile(new URL('given.md', import.meta.url), 'utf8')).trim()

// What is exported by another import too is a list of links; a number that TypeDoc adds to a page's name goes.
const pages = (await readdir(out, { recursive: true })).filter((page) => /^(?:urlwhere|README).*\.md$/.test(page))
for (const page of pages) {
  const text = await readFile(join(out, page), 'utf8')
  const shorter = text
    .replace(
      /# urlwhere\n\n## Modules\n\n([^]*)/,
      (_, links) =>
        `# Reference\n\nEvery export of every import, made from the doc comments.\n\n- [The list service of urlwhere/http](list-service.md): options, answers, limits\n${links.trim()}\n\n## Values of the examples\n\n${given}\n`,
    )
    .replace(/#### Extends\n\n- `\w+`\n\n/g, '')
    .replace(/### \w+(?:\(\))?\n\n(?:Renames and re-exports|Re-exports) (\[.*\)\n)(?:\n\*\*\*\n\n)?/g, '- $1')
    .replace(/-1\.md/g, '.md')
  await writeFile(join(out, page), shorter)
  if (page.endsWith('-1.md')) await rename(join(out, page), join(out, page.replace('-1.md', '.md')))
}
