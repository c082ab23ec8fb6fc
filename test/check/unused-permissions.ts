import { fileURLToPath } from 'node:url'
import type { AnyNode } from 'acorn'
import type { FoundFunction } from '../../functions/find-functions.ts'
import { permissionName } from '../../shared/kubernetes/kubernetes.ts'
import type { DefinitionProblem } from '../../shared/runtime/runtime.ts'
import { type KubernetesUse, kubernetesUse, openName, resourceName } from './kubernetes-use.ts'
import { nodesOf, type ParsedFile, parseFile } from './parsed-file.ts'

/** The code that runs a step: the lifecycle, which has separate permissions, and the port itself. */
const machinery = ['kubernetes', 'lifecycle', 'runtime'].map(room =>
  fileURLToPath(new URL(`../../shared/${room}/`, import.meta.url)),
)
/** These act only on behalf of their importers, and count as their code. */
const borrowed = ['apply-object', 'ensure-object', 'list-all'].map(name =>
  fileURLToPath(new URL(`../../shared/kubernetes/${name}.ts`, import.meta.url)),
)

/**
 * Returns the permissions of a function that its code does not use. A file that the function imports uses a permission
 * if it calls the Kubernetes port with this verb for this resource. The call may name the resource, or receive it from
 * other code that names it. Only the text is read, so code that never runs counts as a use. (The opposite, a use
 * without a permission, is refused by the port at run time.)
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
        message: `permissions[${index}]: no code of ${fn.name} uses ${permissionName(verb, resource, subresource)}. Remove it`,
      })),
  )
}

const some = (uses: readonly KubernetesUse[], how: 'calls' | 'open', name: string): boolean =>
  uses.some(use => use[how].has(name))

/** Returns a file and all its imports, itself first. */
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

/** A package imported by its name is not part of it. */
const isOwnCode = (file: string): boolean =>
  /\.[jt]s$/.test(file) &&
  !file.includes('/node_modules/') &&
  (borrowed.includes(file) || !machinery.some(room => file.startsWith(room)))

/** Returns the value of `permissions` in the call of `defineFunction`. */
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

/** Returns the line of a permission if the list is written out, else that of the list, else that of the definition. */
const lineOf = (
  permissions: AnyNode | undefined,
  index: number,
  definition: number | undefined,
): { readonly line?: number } => {
  const entry = permissions?.type === 'ArrayExpression' ? permissions.elements[index] : undefined
  const line = (entry ?? permissions)?.loc?.start.line ?? definition
  return line === undefined ? {} : { line }
}
