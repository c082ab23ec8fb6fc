import { deepestJson, isDeeper } from '../decode/json-bounds.ts'
import { formatPath, type Problem, problemsOf } from '../decode/problems.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { clusterKind, type KindName, kinds, type ObjectOf } from './kinds.ts'
import { type MachineKindName, type MachineObjectOf, machineKinds } from './machine-kinds.ts'
import { managedResourceKind } from './resource-kinds.ts'
import type { Cluster } from './schemas/cluster.ts'
import type { ManagedResource } from './schemas/managed-resource.ts'

/** An object with the shape of its kind, or all its problems. */
export type ParseResult<O extends KubernetesObject = KubernetesObject> =
  | { readonly ok: true; readonly object: O }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/**
 * Checks a value against the schema of a kind. Returns the same value, with fields that the schema does not know (of a
 * newer Gardener or a provider).
 *
 * @example
 * const parsed = parseObject('DNSRecord', value)
 * if (!parsed.ok) console.log(parsed.problems) // [{ path: 'spec.values[0]', message: 'expected a string, found a
 * number' }]
 */
export const parseObject = <K extends KindName>(kind: K, value: unknown): ParseResult<ObjectOf<K>> =>
  check<ObjectOf<K>>(kinds[kind].schema, value)

/** Like `parseObject`, for a Cluster with its embedded Shoot, CloudProfile and Seed. */
export const parseCluster = (value: unknown): ParseResult<Cluster> =>
  check<Cluster>(clusterKind.schema, value)

/** Like `parseObject`, for the objects that a Worker creates: MachineClass, MachineDeployment, MachineSet, Machine. */
export const parseMachineObject = <K extends MachineKindName>(
  kind: K,
  value: unknown,
): ParseResult<MachineObjectOf<K>> => check<MachineObjectOf<K>>(machineKinds[kind].schema, value)

/** Like `parseObject`, for a ManagedResource. */
export const parseManagedResource = (value: unknown): ParseResult<ManagedResource> =>
  check<ManagedResource>(managedResourceKind.schema, value)

interface ObjectSchema {
  readonly safeParse: (value: unknown) => { readonly error?: { readonly issues: Issues } | undefined }
}
type Issues = Parameters<typeof problemsOf>[0]

const check = <O extends KubernetesObject>(schema: ObjectSchema, value: unknown): ParseResult<O> => {
  // Later code may then copy, compare and write the value recursively.
  if (isDeeper(value)) return { ok: false, problems: [tooDeep(value)] }
  const { error } = schema.safeParse(value)
  if (error !== undefined) return { ok: false, problems: problemsOf(error.issues, value) }
  // No schema of this folder transforms values or adds defaults, so a valid input has the schema's output type.
  return { ok: true, object: value as O }
}

/** Names the part that is too deep, if it is at one of the first levels: `spec.providerConfig`. */
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
