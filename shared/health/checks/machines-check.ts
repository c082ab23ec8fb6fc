import { type Classifier, classify } from '../../contract/classify.ts'
import { healthyStatus } from '../../contract/health.ts'
import { machineKinds } from '../../contract/machine-kinds.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { shortened, withoutDot } from '../aggregate.ts'
import { type HealthCheck, successful, unsuccessful } from '../health-check.ts'
import { conditionsOf, outdatedText } from './deployment-check.ts'

/** Maximum number of machines or deployments that are listed by name. */
const mostListed = 5
/** Longest text about a machine, in characters. */
const longestText = 500

/**
 * Checks the machines of a Worker (docs/contract/health.md#machines). The machine controller's messages about failed
 * ones contain texts of the cloud. Its classifiers find the codes, and `stableText` removes values that differ in every
 * response.
 *
 * @example
 * const conditions = [{ type: 'EveryNodeReady', checks: [machinesCheck()] }]
 */
export const machinesCheck = (
  classifiers: readonly Classifier[] = [],
  stableText = (text: string): string => text,
): HealthCheck => ({
  name: 'machines',
  reads: [{ resource: machineKinds.MachineDeployment.resource }],
  run: async ({ kubernetes, namespace, signal }) => {
    const { resource } = machineKinds.MachineDeployment
    const { items } = await kubernetes.list(resource, { namespace, signal })
    const deployments = items.toSorted((a, b) => compare(a.metadata.name, b.metadata.name))
    const failed = deployments
      .flatMap(failedMachines)
      .map(({ name, text }) => ({ name, text: stableText(text) }))
      .toSorted((a, b) => compare(a.name, b.name))
    if (failed.length > 0) {
      const texts = failed.map(
        ({ name, text }) => `machine ${JSON.stringify(name)} failed: ${shortened(text, longestText)}`,
      )
      return unsuccessful(listed(texts), classify(failed.map(({ text }) => text).join('\n'), classifiers))
    }
    const problems = deployments.flatMap(deployment => {
      const problem = problemOf(deployment)
      const name = JSON.stringify(deployment.metadata.name)
      return problem === undefined
        ? []
        : [`machine deployment ${name} in namespace ${JSON.stringify(namespace)} is unhealthy: ${problem}`]
    })
    return problems.length === 0 ? successful : unsuccessful(listed(problems))
  },
})

interface FailedText {
  readonly name: string
  readonly text: string
}

const failedMachines = ({ status }: KubernetesObject): readonly FailedText[] => {
  const { failedMachines: failed } = Object(status) as { readonly failedMachines?: unknown }
  return (Array.isArray(failed) ? failed : []).map(machine => {
    const { name, lastOperation } = Object(machine)
    return { name: String(name ?? ''), text: String(Object(lastOperation).description ?? '') }
  })
}

const problemOf = (deployment: KubernetesObject): string | undefined => {
  const outdated = outdatedText(deployment)
  if (outdated !== undefined) return outdated
  const conditions = conditionsOf(deployment)
  if (!conditions.has('Available')) return 'condition "Available" is missing'
  for (const [type, healthy] of Object.entries(healthyStatus)) {
    const condition = conditions.get(type)
    if (condition !== undefined && condition.status !== healthy)
      return `${condition.message ?? ''} (${condition.reason ?? ''})`
  }
  return undefined
}

const listed = (texts: readonly string[]): string => {
  const some = texts.slice(0, mostListed).map(withoutDot).join('; ')
  const more = texts.length - mostListed
  return more > 0 ? `${some}; and ${more} more` : some
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
