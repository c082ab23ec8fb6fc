import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { deepestJson, isDeeper } from './json-bounds.ts'
import { clusterKind, type KindName, kinds, type ObjectOf } from './kinds.ts'
import { type MachineKindName, type MachineObjectOf, machineKinds } from './machine-kinds.ts'
import { managedResourceKind } from './resource-kinds.ts'
import { formatPath, type Problem, problemsOf } from './problems.ts'
import type { Cluster } from './schemas/cluster.ts'
import type { ManagedResource } from './schemas/managed-resource.ts'

/** An object that has the shape of its kind, or everything that is wrong with it. */
export type ParseResult<O extends KubernetesObject = KubernetesObject> =
  | { readonly ok: true; readonly object: O }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Checks a value against the schema of a kind. The object that comes back is the very value that went in: fields that
 * the schema does not know (of a newer Gardener, of a provider) are still there.
 *
 * @example
 * const parsed = parseObject('DNSRecord', value)
 * if (!parsed.ok) console.log(parsed.problems)
 * // [{ path: 'spec.values[0]', message: 'expected a string, found a number' }]
 */
export const parseObject = <K extends KindName>(kind: K, value: unknown): ParseResult<ObjectOf<K>> =>
  check<ObjectOf<K>>(kinds[kind].schema, value)

/** As `parseObject`, for a Cluster with its embedded Shoot, CloudProfile and Seed. */
export const parseCluster = (value: unknown): ParseResult<Cluster> =>
  check<Cluster>(clusterKind.schema, value)

/** As `parseObject`, for what a Worker becomes: MachineClass, MachineDeployment, MachineSet, Machine. */
export const parseMachineObject = <K extends MachineKindName>(
  kind: K,
  value: unknown,
): ParseResult<MachineObjectOf<K>> => check<MachineObjectOf<K>>(machineKinds[kind].schema, value)

/** As `parseObject`, for a ManagedResource. */
export const parseManagedResource = (value: unknown): ParseResult<ManagedResource> =>
  check<ManagedResource>(managedResourceKind.schema, value)

interface ObjectSchema {
  readonly safeParse: (value: unknown) => { readonly error?: { readonly issues: Issues } | undefined }
}
type Issues = Parameters<typeof problemsOf>[0]

const check = <O extends KubernetesObject>(schema: ObjectSchema, value: unknown): ParseResult<O> => {
  // Nobody after this has to think of a value that is too deep to be copied, compared or written out.
  if (isDeeper(value)) return { ok: false, problems: [tooDeep(value)] }
  const { error } = schema.safeParse(value)
  if (error !== undefined) return { ok: false, problems: problemsOf(error.issues, value) }
  // No schema of this folder transforms or fills in anything, so what passed is of the schema's output type.
  return { ok: true, object: value as O }
}

/** Names the part that is too deep, where it is one of the first levels: `spec.providerConfig`. */
const tooDeep = (value: unknown): Problem => {
  const path: string[] = []
  let part = value
  for (let level = 1; level <= namedLevels; level++) {
    const inner = Object.entries(part as object).find(([, field]) => isDeeper(field, deepestJson - level))
    if (inner === undefined) break
    path.push(inner[0])
    part = inner[1]
  }
  return {
    path: formatPath(path),
    message: `expected at most ${deepestJson} levels of objects and lists, found more`,
  }
}

const namedLevels = 2
