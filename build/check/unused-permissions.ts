import { fileURLToPath } from 'node:url'
import type { AnyNode } from 'acorn'
import type { FoundFunction } from '../../functions/find-functions.ts'
import { permissionName } from '../../shared/kubernetes/kubernetes.ts'
import type { DefinitionProblem } from '../../shared/runtime/runtime.ts'
import { type KubernetesUse, kubernetesUse, openName, resourceName } from './kubernetes-use.ts'
import { nodesOf, type ParsedFile, parseFile } from './parsed-file.ts'

/** What makes a step of a function: the lifecycle's code, which has permissions of its own, and the port itself. */
const machinery = ['kubernetes', 'lifecycle', 'runtime'].map(room =>
  fileURLToPath(new URL(`../../shared/${room}/`, import.meta.url)),
)
/** They do only what those that import them tell them to, and count as theirs. */
const borrowed = ['apply-object', 'keep-object', 'list-all'].map(name =>
  fileURLToPath(new URL(`../../shared/kubernetes/${name}.ts`, import.meta.url)),
)

/**
 * The permissions of a function that its code does not use: no file that it imports calls the Kubernetes port with this
 * verb for this resource, be it that both stand in the call, or that the resource is read somewhere and some call of the
 * verb takes one that was handed over. The text alone is read, so a use in code that never runs counts. (The other way
 * round, a use without a permission, is refused by the port at run time.)
 */
export const unusedPermissions = async (fn: FoundFunction): Promise<readonly DefinitionProblem[]> => {
  if (fn.permissions.length === 0) return []
  const files = closure(fn.file)
  const own = files.find(({ file }) => file === fn.place?.file) ?? files[0]
  const permissions = own && permissionsIn(own)
  const uses = await Promise.all(files.map(file => kubernetesUse(file, permissions)))
  return fn.permissions.flatMap(({ resource, subresource, verbs }, index) =>
    verbs
      .filter(verb => {
        const name = permissionName(verb, resource, subresource)
        const isHandedOn = uses.some(({ named }) => named.has(resourceName(resource)))
        return !some(uses, 'calls', name) && !(isHandedOn && some(uses, 'open', openName(verb, subresource)))
      })
      .map(verb => ({
        place: { file: own?.file ?? fn.file, ...lineOf(permissions, index, fn.place?.line) },
        message: `permissions[${index}]: no code of ${fn.name} does ${permissionName(verb, resource, subresource)}; leave it out`,
      })),
  )
}

const some = (uses: readonly KubernetesUse[], how: 'calls' | 'open', name: string): boolean =>
  uses.some(use => use[how].has(name))

/** A file and all that it imports, itself first. */
const closure = (first: string): readonly ParsedFile[] => {
  const files = new Map<string, ParsedFile>()
  const add = (file: string): void => {
    if (files.has(file) || !isOwnCode(file)) return
    const parsed = parseFile(file)
    files.set(file, parsed)
    for (const imported of parsed.importedFiles) add(imported)
  }
  add(first)
  return [...files.values()]
}

/** A package that is imported by its name is none of it anyway. */
const isOwnCode = (file: string): boolean =>
  /\.[jt]s$/.test(file) &&
  !file.includes('/node_modules/') &&
  (borrowed.includes(file) || !machinery.some(room => file.startsWith(room)))

/** The value of `permissions` in the call of `defineFunction`. */
const permissionsIn = ({ program }: ParsedFile): AnyNode | undefined => {
  for (const node of nodesOf(program)) {
    if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') continue
    const [options] = node.callee.name === 'defineFunction' ? node.arguments : []
    if (options?.type !== 'ObjectExpression') continue
    for (const property of options.properties) {
      if (
        property.type === 'Property' &&
        property.key.type === 'Identifier' &&
        property.key.name === 'permissions'
      )
        return property.value
    }
  }
  return undefined
}

/** The line of a permission where the list is written out, else that of the list, else that of the definition. */
const lineOf = (
  permissions: AnyNode | undefined,
  index: number,
  definition: number | undefined,
): { readonly line?: number } => {
  const entry = permissions?.type === 'ArrayExpression' ? permissions.elements[index] : undefined
  const line = (entry ?? permissions)?.loc?.start.line ?? definition
  return line === undefined ? {} : { line }
}
