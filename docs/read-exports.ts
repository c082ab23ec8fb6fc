import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Node } from 'typescript/unstable/ast'
import { isArrowFunction, isFunctionDeclaration, isVariableDeclaration } from 'typescript/unstable/ast/is'
import { API, type Checker, type Symbol as Named, SymbolFlags } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface LibraryExport {
  readonly name: string
  readonly kind: 'function' | 'class' | 'value' | 'type'
  /** The declaration in the sources, without bodies: a signature, an interface, a type. */
  readonly declaration: string
  /** The text of its comment. Empty if there is none. */
  readonly about: string
  /** The code of its examples. */
  readonly examples: readonly string[]
  /** The file of its declaration, relative to the root of the repository. */
  readonly file: string
}

/** An entry of the library: `.`, `./infra`. */
export interface LibraryEntry {
  /** `@trellis-gardener/trellis/infra` */
  readonly name: string
  /** `infra`; `trellis` for the main entry. */
  readonly page: string
  readonly exports: readonly LibraryExport[]
}

interface LibraryManifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

/** Returns the entries of package.json, with their exports as the compiler sees them in the sources. */
export const readExports = async (): Promise<readonly LibraryEntry[]> => {
  const manifest: LibraryManifest = JSON.parse(await readFile(`${root}package.json`, 'utf8'))
  const api = new API({ cwd: root })
  try {
    const config = `${root}tsconfig.json`
    const snapshot = api.updateSnapshot({ openProjects: [config] })
    const project = snapshot.getProject(config)
    if (project === undefined) throw new Error(`the compiler cannot open ${config}`)
    const { program, checker } = project
    return Object.entries(manifest.exports).flatMap(([path, entry]) => {
      if (typeof entry === 'string') return []
      const file = entry.default.replace('./dist/package/', root).replace(/\.js$/, '.ts')
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      if (module === undefined) throw new Error(`package.json: ${path} is no module: ${file}`)
      const page = path === '.' ? 'trellis' : path.slice('./'.length)
      const exports = checker.getExportsOfModule(module).map(symbol => exportOf(symbol, checker))
      return [
        {
          name: path === '.' ? manifest.name : `${manifest.name}/${page}`,
          page,
          exports: exports.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
        },
      ]
    })
  } finally {
    api.close()
  }
}

const exportOf = (symbol: Named, checker: Checker): LibraryExport => {
  const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const [handle] = target.declarations
  const node = handle?.resolve()
  if (handle === undefined || node === undefined) throw new Error(`${symbol.name} has no declaration`)
  const examples = target
    .getJsDocTags(checker)
    .filter(({ name }) => name === 'example')
    .map(({ text = '' }) => text.trim())
  return {
    name: symbol.name,
    ...declarationOf(node, target, checker),
    about: target.getDocumentationComment(checker).trim(),
    examples,
    file: handle.path.replace(root, ''),
  }
}

const declarationOf = (
  node: Node,
  symbol: Named,
  checker: Checker,
): Pick<LibraryExport, 'kind' | 'declaration'> => {
  if (isFunctionDeclaration(node) && node.body !== undefined) {
    const text = node.getText().slice(0, node.body.getStart() - node.getStart())
    return { kind: 'function', declaration: withoutExport(text).trimEnd() }
  }
  if (!isVariableDeclaration(node))
    return {
      kind: symbol.flags & SymbolFlags.Class ? 'class' : 'type',
      declaration: withoutExport(node.getText()),
    }
  const { initializer } = node
  if (initializer === undefined || !isArrowFunction(initializer)) {
    const type = checker.getTypeOfSymbol(symbol)
    return { kind: 'value', declaration: `const ${symbol.name}: ${type && checker.typeToString(type)}` }
  }
  // The signature as written, without the body.
  const start = node.getStart()
  const text = node
    .getText()
    .slice(0, initializer.equalsGreaterThanToken.getStart() - start)
    .trimEnd()
  return { kind: 'function', declaration: `const ${text}` }
}

const withoutExport = (text: string): string => text.replace(/^export /, '')
