import { pathToFileURL } from 'node:url'
import type { AnyNode, Expression, Pattern, VariableDeclarator } from 'acorn'
import { nodesOf, type ParsedFile } from './parsed-file.ts'

/** Returns the value of an expression if it is known without running the code around it; else undefined. */
export type EvaluateNode = (expression: AnyNode) => Promise<unknown>

/**
 * Evaluates the constants of a file: literals, objects of them, members, and imports, which are loaded. Parameters and
 * results of calls have no value. Scopes are ignored: a parameter with the name of a constant of the file has the
 * constant's value (see `hiddenNames`).
 */
export const evaluator = ({ program, imports }: ParsedFile): EvaluateNode => {
  const constants = new Map<string, { readonly init: Expression; readonly path: readonly string[] }>()
  for (const { id, init } of program.body.flatMap(declaratorsOf)) {
    if (init) for (const [name, path] of namesIn(id)) constants.set(name, { init, path })
  }

  const evaluate: EvaluateNode = async node => {
    switch (node.type) {
      case 'Literal':
        return node.value
      case 'Identifier': {
        const imported = imports.get(node.name)
        if (imported !== undefined) {
          // Node loads JSON only with this attribute.
          const attributes = imported.file.endsWith('.json') ? { with: { type: 'json' } } : {}
          const module = (await import(pathToFileURL(imported.file).href, attributes)) as Readonly<
            Record<string, unknown>
          >
          return imported.name === '*' ? module : module[imported.name]
        }
        const constant = constants.get(node.name)
        return constant?.path.reduce(memberOf, await evaluate(constant.init))
      }
      case 'MemberExpression':
        return !node.computed && node.property.type === 'Identifier'
          ? memberOf(await evaluate(node.object), node.property.name)
          : undefined
      case 'ObjectExpression': {
        const object: Record<string, unknown> = {}
        for (const property of node.properties) {
          if (property.type === 'SpreadElement') Object.assign(object, await evaluate(property.argument))
          else if (property.key.type === 'Identifier')
            object[property.key.name] = await evaluate(property.value)
        }
        return object
      }
      default:
        return undefined
    }
  }
  return evaluate
}

/**
 * Returns the names with another meaning in an inner scope than at the top of a file: parameters and block
 * declarations.
 */
export const hiddenNames = ({ program }: ParsedFile): ReadonlySet<string> => {
  const top = new Set<AnyNode>(program.body.flatMap(declaratorsOf))
  const names = new Set<string>()
  for (const node of nodesOf(program)) {
    const patterns =
      'params' in node
        ? (node.params as Pattern[])
        : node.type === 'VariableDeclarator' && !top.has(node)
          ? [node.id]
          : []
    for (const pattern of patterns) for (const [name] of namesIn(pattern)) names.add(name)
  }
  return names
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** Returns the `const` declarations of a top-level statement. */
const declaratorsOf = (statement: AnyNode): readonly VariableDeclarator[] => {
  const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
  return declaration?.type === 'VariableDeclaration' && declaration.kind === 'const'
    ? declaration.declarations
    : []
}

/** Yields the names that a pattern binds, and the path of each in the value: `{ resource }` binds `resource`. */
function* namesIn(pattern: Pattern, path: readonly string[] = []): Generator<[string, readonly string[]]> {
  if (pattern.type === 'Identifier') yield [pattern.name, path]
  if (pattern.type === 'AssignmentPattern') yield* namesIn(pattern.left, path)
  if (pattern.type !== 'ObjectPattern') return
  for (const property of pattern.properties) {
    if (property.type === 'RestElement') yield* namesIn(property.argument, path)
    else if (property.key.type === 'Identifier') yield* namesIn(property.value, [...path, property.key.name])
  }
}
