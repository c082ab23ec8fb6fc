import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { type CheckedSeed, objectsOf } from './checked-seed.ts'
import { listOf } from './conditions.ts'

/**
 * Returns the bridge's Deployment: the one that a SinkBinding points to the broker, else the one with the default name.
 */
export const bridgeDeploymentOf = (
  seed: Pick<CheckedSeed, 'reads'>,
): { readonly name: string; readonly deployment: KubernetesObject | undefined } => {
  const bound = objectsOf(seed, 'sinkBindings')
    .map(({ spec }) => recordOf(recordOf(spec).subject))
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ name }) => stringOf(name))
  const deployments = objectsOf(seed, 'deployments')
  const deployment =
    deployments.find(({ metadata }) => bound.includes(metadata.name)) ??
    deployments.find(({ metadata }) => /(^|-)bridge$/.test(metadata.name))
  return { name: deployment?.metadata.name ?? bound[0] ?? 'bridge', deployment }
}

/** Returns its environment, as far as the Deployment itself contains it. */
export const environmentOf = (
  deployment: KubernetesObject | undefined,
): { readonly value: (name: string) => string | undefined; readonly complete: boolean } => {
  const containers = listOf(recordOf(templateSpecOf(deployment)).containers).map(recordOf)
  const variables = containers.flatMap(({ env }) => listOf(env).map(recordOf))
  return {
    value: name => {
      const found = variables.findLast(variable => variable.name === name)
      return found === undefined ? undefined : stringOf(found.value)
    },
    complete:
      containers.every(({ envFrom }) => listOf(envFrom).length === 0) &&
      variables.every(({ valueFrom }) => valueFrom === undefined),
  }
}

export const accountOf = (deployment: KubernetesObject | undefined): string =>
  stringOf(recordOf(templateSpecOf(deployment)).serviceAccountName) || 'default'

const templateSpecOf = (deployment: KubernetesObject | undefined): unknown =>
  recordOf(recordOf(recordOf(deployment?.spec).template)).spec
