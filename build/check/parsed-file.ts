import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, resolve } from 'node:path'
import { type AnyNode, type Program, parse } from 'acorn'

/** A source file, as far as the check of definitions reads it. */
export interface ParsedFile {
  readonly file: string
  readonly program: Program
  /** What it imports from other files of its own tree: the local name, the file and the name there (`*`: all of it). */
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>
  /** Every file that it names, also by `import()` and `export … from`. */
  readonly importedFiles: readonly string[]
}

/** Reads a file. Types go, lines and columns stay. */
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
    for (const specifier of node.specifiers) {
      imports.set(specifier.local.name, { file: imported, name: nameIn(specifier) })
    }
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

/** A node and all below it, but for those that `skip` names. */
export function* nodesOf(node: AnyNode, skip?: AnyNode): Generator<AnyNode> {
  if (node === skip) return
  yield node
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child, skip)
  }
}

/**
 * The names and members that are read somewhere: neither where they are declared, imported or exported, nor the names of
 * properties. Nothing below `skip`.
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
