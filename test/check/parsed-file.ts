import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'
import { type AnyNode, type Program, parse } from 'acorn'

export interface ParsedFile {
  readonly file: string
  readonly program: Program
  /** Its imports from files of the same tree: the local name, the file and the name there (`*`: the namespace). */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** Every file that it names, including `import()` and `export … from`. */
  readonly importedFiles: readonly string[]
}

/** Parses a file. Types are removed; lines and columns are unchanged. */
export const parseFile = (file: string): ParsedFile => {
  const text = readFileSync(file, 'utf8')
  const program = parse(file.endsWith('.ts') ? stripTypeScriptTypes(text) : text, {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  })
  const imports = new Map<string, { readonly file: string; readonly name: string }>()
  const importedFiles = new Set<string>()
  for (const node of nodesOf(program)) {
    const source = sourceOf(node)
    if (source === undefined || !/^(?:\.|\/|file:)/.test(source)) continue
    const imported = source.startsWith('file:') ? new URL(source).pathname : resolve(dirname(file), source)
    importedFiles.add(imported)
    if (node.type !== 'ImportDeclaration') continue
    for (const specifier of node.specifiers)
      imports.set(specifier.local.name, { file: imported, name: nameIn(specifier) })
  }
  return { file, program, imports, importedFiles: [...importedFiles] }
}

const sourceOf = (node: AnyNode): string | undefined => {
  if (
    node.type !== 'ImportDeclaration' &&
    node.type !== 'ImportExpression' &&
    node.type !== 'ExportNamedDeclaration' &&
    node.type !== 'ExportAllDeclaration'
  )
    return undefined
  const { source } = node
  return source?.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined
}

const nameIn = (specifier: AnyNode): string => {
  if (specifier.type !== 'ImportSpecifier')
    return specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*'
  const { imported } = specifier
  return imported.type === 'Identifier' ? imported.name : String(imported.value)
}

/** Yields a node and all its descendants, except for `skip`. */
export function* nodesOf(node: AnyNode, skip?: AnyNode): Generator<AnyNode> {
  if (node === skip) return
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child, skip)
  }
}

/**
 * Yields the names and members that are read: not those that are declared, imported or exported, nor names of
 * properties. Ignores everything below `skip`.
 */
export function* referencesOf(node: AnyNode, skip?: AnyNode): Generator<AnyNode> {
  if (node === skip || node.type === 'ImportDeclaration' || node.type === 'ExportSpecifier') return
  if (node.type === 'Identifier' || node.type === 'MemberExpression') yield node
  for (const [field, value] of Object.entries(node)) {
    const isName =
      (field === 'id' && node.type === 'VariableDeclarator') ||
      (field === 'property' && node.type === 'MemberExpression' && !node.computed) ||
      (field === 'key' && node.type === 'Property' && !node.computed)
    if (isName) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) yield* referencesOf(child, skip)
  }
}

const isNode = (value: unknown): value is AnyNode =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  typeof value.type === 'string' &&
  'start' in value
