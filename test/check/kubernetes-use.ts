import type { AnyNode, CallExpression } from 'acorn'
import type { GroupVersionResource, PermissionPart, Subresource } from '../../shared/kubernetes/kubernetes.ts'
import { permissionName, subresources, type Verb } from '../../shared/kubernetes/kubernetes.ts'
import { evaluator, hiddenNames } from './evaluate.ts'
import { nodesOf, type ParsedFile, referencesOf } from './parsed-file.ts'

export interface KubernetesUse {
  /** `patch secrets`: the call itself names the resource. */
  readonly calls: ReadonlySet<string>
  /** `patch`: the resource may be passed to the call from elsewhere; `patch …/status` for a part of it. */
  readonly open: ReadonlySet<string>
  /** `secrets`: read anywhere, directly or as a part of a value that is read (`machineKind` with its `resource`). */
  readonly named: ReadonlySet<string>
}

/** The calls of the port by their RBAC verbs. An apply may have to create the object. */
const verbsOf: Readonly<Record<string, readonly Verb[]>> = {
  get: ['get'],
  list: ['list'],
  watch: ['watch'],
  create: ['create'],
  replace: ['update'],
  patch: ['patch'],
  apply: ['patch', 'create'],
  delete: ['delete'],
}

export const resourceName = ({ group, plural }: GroupVersionResource): string =>
  group === '' ? plural : `${plural}.${group}`

export const openName = (verb: Verb, subresource?: PermissionPart): string =>
  subresource === undefined ? verb : `${verb} …/${subresource}`

/** Reads the calls of one file, except for `skip`: naming a resource in a permission is not a use. */
export const kubernetesUse = async (file: ParsedFile, skip?: AnyNode): Promise<KubernetesUse> => {
  const evaluate = evaluator(file)
  const hidden = hiddenNames(file)
  const calls = new Set<string>()
  const open = new Set<string>()
  const named = new Set<string>()
  for (const node of referencesOf(file.program, skip)) {
    for (const resource of resourcesIn(await evaluate(node))) named.add(resourceName(resource))
  }
  for (const node of nodesOf(file.program, skip)) {
    if (isBlockedDeletion(node)) open.add(openName('update', 'finalizers'))
    if (node.type !== 'CallExpression') continue
    const called = portCall(node)
    if (called === undefined) continue
    const { uses, isPort } = called
    const resource = node.arguments[0] && (await evaluate(node.arguments[0]))
    for (const [verb, subresource] of uses) {
      if (isResource(resource)) calls.add(permissionName(verb, resource, subresource))
      const [first] = node.arguments
      const isHidden = first?.type === 'Identifier' && hidden.has(first.name)
      if (isPort && (isHidden || !isResource(resource))) open.add(openName(verb, subresource))
    }
  }
  return { calls, open, named }
}

/** Matches `blockOwnerDeletion: true`, for which admission checks the permission to set finalizers of the owner. */
const isBlockedDeletion = (node: AnyNode): boolean =>
  node.type === 'Property' &&
  node.key.type === 'Identifier' &&
  node.key.name === 'blockOwnerDeletion' &&
  node.value.type === 'Literal' &&
  node.value.value === true

interface PortCall {
  /** The verbs, each with its part of the object; all parts if the options are not written in the call. */
  readonly uses: readonly (readonly [Verb, Subresource | undefined])[]
  /** True if the callee has the name of the port: `Map` has a `get`, too. */
  readonly isPort: boolean
}

const portCall = ({ callee, arguments: given }: CallExpression): PortCall | undefined => {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.computed)
    return undefined
  const method = callee.property.name
  const used = Object.hasOwn(verbsOf, method) ? verbsOf[method] : undefined
  if (used === undefined) return undefined
  const { object } = callee
  const name =
    object.type === 'Identifier'
      ? object.name
      : object.type === 'MemberExpression' && object.property.type === 'Identifier'
        ? object.property.name
        : ''
  const parts = subresourcesOf(method, given)
  const uses = used.flatMap(verb => parts.map(part => [verb, part] as const))
  return { uses, isPort: /kubernetes/i.test(name) }
}

const subresourcesOf = (
  method: string,
  given: CallExpression['arguments'],
): readonly (undefined | Subresource)[] => {
  const options = method === 'patch' ? given[3] : method === 'replace' ? given[2] : undefined
  if (options === undefined) return [undefined]
  if (options.type !== 'ObjectExpression') return [undefined, ...subresources]
  let named: readonly (undefined | Subresource)[] = [undefined]
  for (const property of options.properties) {
    if (property.type !== 'Property' || property.key.type !== 'Identifier')
      return [undefined, ...subresources]
    if (property.key.name !== 'subresource') continue
    const value = property.value.type === 'Literal' ? property.value.value : undefined
    const written = subresources.filter(subresource => subresource === value)
    named = written.length > 0 ? written : subresources
  }
  return named
}

const resourcesIn = (value: unknown): readonly GroupVersionResource[] =>
  typeof value === 'object' && value !== null ? [value, ...Object.values(value)].filter(isResource) : []

const isResource = (value: unknown): value is GroupVersionResource =>
  typeof value === 'object' &&
  value !== null &&
  'plural' in value &&
  typeof value.plural === 'string' &&
  'group' in value &&
  typeof value.group === 'string'
