import {
  continueAfter,
  defineFunction,
  done,
  type Infrastructure,
  type PlanContext,
  type StepContext,
} from '@trellis-gardener/trellis'
import { planGraph, reconcileGraph, type State } from '@trellis-gardener/trellis/infra'
import { acmeCloud, errorKindOf } from './acme-cloud.ts'
import { networkGraph } from './network-graph.ts'

/** Infrastructures of type `acme`: the network of a shoot, and the gateway by which its nodes reach the internet. */
export const definition = defineFunction({
  name: 'acme-infrastructure',
  kind: 'Infrastructure',
  type: 'acme',
  create: () => ({ reconcile, remove }),
  planOf: context => {
    const { destroy } = context
    return planGraph({ ...inputOf(context), ...graphFor(context), destroy, adopt: destroy })
  },
})

/** The parts of a step that a plan has, too. */
type Input = Omit<PlanContext<Infrastructure>, 'kubernetes' | 'destroy'>

const graphFor = ({ object, cluster }: Input) => {
  const nodes = cluster?.spec.shoot.spec?.networking?.nodes ?? '10.250.0.0/16'
  return networkGraph(object.metadata.name, nodes)
}

const inputOf = ({ object: { metadata, status }, secret, signal, clock }: Input) => ({
  cloud: acmeCloud(secret, `${metadata.namespace}/${metadata.name}`),
  state: (status?.state ?? {}) as State,
  signal,
  clock,
})

const reconcile = async (step: StepContext<Infrastructure>) => {
  const { graph, network, gateway } = graphFor(step)
  const outcome = await walk(step, { graph })
  if (outcome.kind === 'continue') return continueOf(outcome)
  const address = gateway.in(outcome.outcomes)?.address
  return done({
    egressCIDRs: [`${address}/32`],
    // The Worker of the same cloud reads it.
    providerStatus: {
      apiVersion: 'acme.example.com/v1alpha1',
      kind: 'InfrastructureStatus',
      network: network.in(outcome.outcomes)?.id,
    },
  })
}

const remove = async (step: StepContext<Infrastructure>) => {
  // The owner in the cloud proves which resources are ours, even if the state has lost them.
  const outcome = await walk(step, { ...graphFor(step), destroy: true, adopt: true })
  return outcome.kind === 'continue' ? continueOf(outcome) : done()
}

const walk = (
  step: StepContext<Infrastructure>,
  given: Pick<Parameters<typeof reconcileGraph>[0], 'destroy' | 'adopt'> &
    Pick<ReturnType<typeof networkGraph>, 'graph'>,
) =>
  reconcileGraph({
    ...inputOf(step),
    ...given,
    uid: step.object.metadata.uid ?? '',
    throwIfExpired: step.throwIfExpired,
    errorKindOf,
    // `saveStatus` is a merge patch: null removes a key.
    save: (state, removed) =>
      step.saveStatus({ state: { ...state, ...Object.fromEntries(removed.map(key => [key, null])) } }),
  })

const continueOf = ({
  afterMs,
  progress,
  description,
}: {
  afterMs: number
  progress: number
  description: string
}) => continueAfter(afterMs, progress, description)
