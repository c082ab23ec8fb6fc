import type { V1PolicyRule } from '@kubernetes/client-node'
import { deployedObjects, deploymentOf } from '../../knative/knative.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { serviceNameOf, type WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import { accountOf, bridgeDeploymentOf, environmentOf } from './bridge-facts.ts'
import { type CheckedSeed, type ExpectedRight, objectsOf } from './checked-seed.ts'
import { listOf } from './conditions.ts'
import { modeOf, programsOf } from './deployed-functions.ts'
import { targetOf } from './trigger-target.ts'

type InstalledSeed = Pick<CheckedSeed, 'reads' | 'namespace'>

/**
 * Returns the permissions that the deployed accounts should have: the rules that the definitions create. Several
 * functions may share an account.
 */
export const expectedRights = (
  facts: InstalledSeed,
  functions: readonly FunctionDefinition[],
  webhooks: readonly WebhookDefinition[],
): readonly ExpectedRight[] => {
  const accounts = accountsOf(facts, functions)
  const { deployment } = bridgeDeploymentOf(facts)
  const services = new Set(objectsOf(facts, 'coreServices').map(({ metadata }) => metadata.name))
  const objects = deployedObjects(
    deploymentOf({
      namespace: facts.namespace,
      mode: modeOf(facts),
      functions: functions.filter(({ name }) => accounts.has(name)),
      webhooks: webhooks.filter(({ component }) => services.has(serviceNameOf(component))),
      extensions: (environmentOf(deployment).value('TRELLIS_EXTENSIONS') ?? '').split(',').filter(Boolean),
    }),
  )
  // In the seed process, this account is also that of the functions.
  if (deployment !== undefined) accounts.set('bridge', accountOf(deployment))
  const rights = objects.flatMap(binding => rightsOf(binding, objects, accounts))
  return [...new Map(rights.map(right => [JSON.stringify(right), right])).values()]
}

/** Returns the account of each function by name; functions in one process share an account. */
const accountsOf = (facts: InstalledSeed, functions: readonly FunctionDefinition[]): Map<string, string> => {
  if (modeOf(facts) === 'seed-process') {
    const account = accountOf(bridgeDeploymentOf(facts).deployment)
    const programs = programsOf(facts) ?? []
    return new Map(programs.flatMap(program => program.functions.map(({ name }) => [name, account] as const)))
  }
  const services = new Map(objectsOf(facts, 'services').map(service => [service.metadata.name, service]))
  const known = new Set(functions.map(({ name }) => name))
  const deployed = objectsOf(facts, 'triggers')
    .map(targetOf)
    .filter(({ functionName, service }) => known.has(functionName) && services.has(service))
  return new Map(
    deployed.map(({ functionName, service }) => [functionName, accountOf(services.get(service))]),
  )
}

/** Returns the permissions that a binding grants to its account; empty if the account does not exist. */
const rightsOf = (
  binding: KubernetesObject,
  objects: readonly KubernetesObject[],
  accounts: ReadonlyMap<string, string>,
): readonly ExpectedRight[] => {
  const role = /^(Cluster)?RoleBinding$/.test(binding.kind) ? recordOf(binding.roleRef) : {}
  const [subject] = listOf(binding.subjects).map(recordOf)
  const name = stringOf(subject?.name)
  // Only its own manifest names the webhooks' account.
  const account = accounts.get(name) ?? (name === 'webhook' ? name : undefined)
  const found = objects.find(({ kind, metadata }) => kind === role.kind && metadata.name === role.name)
  if (found === undefined || account === undefined) return []
  const { namespace } = found.metadata
  return (listOf(found.rules) as readonly V1PolicyRule[]).flatMap(
    ({ apiGroups = [], resources = [], resourceNames, verbs }) =>
      apiGroups.flatMap(group =>
        resources.flatMap(resource =>
          verbs.flatMap(verb =>
            (resourceNames ?? [undefined]).map(only => ({
              account,
              verb,
              group,
              resource,
              ...(namespace !== undefined && { namespace }),
              ...(only !== undefined && { name: only }),
            })),
          ),
        ),
      ),
  )
}
