import { type MachineKindName, type MachineObjectOf, machineKinds } from '../../contract/machine-kinds.ts'
import { parseMachineObject } from '../../contract/parse.ts'
import { formatProblems } from '../../decode/problems.ts'
import { secrets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { listAll } from '../../kubernetes/list-all.ts'
import type { StepKubernetes } from '../../lifecycle/lifecycle.ts'
import { classSecretSelector } from './class-objects.ts'

/** Lists all of the machine controller's objects of a kind. Throws if one does not match its kind. */
export const listMachineObjects = async <K extends MachineKindName>(
  kubernetes: StepKubernetes,
  kind: K,
  namespace: string,
): Promise<readonly MachineObjectOf<K>[]> =>
  (await listAll(kubernetes, machineKinds[kind].resource, { namespace })).map(object => {
    const parsed = parseMachineObject(kind, object)
    if (parsed.ok) return parsed.object
    throw new TypeError(`cannot read the ${kind} ${object.metadata.name}: ${formatProblems(parsed.problems)}`)
  })

export const listClassSecrets = (
  kubernetes: StepKubernetes,
  namespace: string,
): Promise<readonly KubernetesObject[]> =>
  listAll(kubernetes, secrets, { namespace, labelSelector: classSecretSelector })

export const byName = <O extends KubernetesObject>(objects: readonly O[]): ReadonlyMap<string, O> =>
  new Map(objects.map(object => [object.metadata.name, object]))
