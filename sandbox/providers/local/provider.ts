import type { Provider } from '../provider.ts'
import { madeUpCluster } from './made-up-cluster.ts'
import type { ProvidedLocal } from './simulate.ts'

const title = 'Local'

/**
 * Gardener's local setup: machines, load balancers and bastions are objects of a second Kubernetes cluster, and records
 * are in one name server.
 */
export const provider: Provider<ProvidedLocal> = {
  name: 'local',
  title,
  texts: {
    owner: 'that of the kubeconfig in the Secret',
    scale: '0.01 makes a namespace take a tenth of a second to go',
    state:
      'what the simulated provider cluster and its name server hold (default: the namespace of the shoot, where the event needs it)',
    saveState:
      'write what the simulated provider cluster and its name server hold in the end, for --local-state',
    howToStart: port => `start a provider cluster there with: trellis dev --local-port ${port}`,
    welcome: url => ({
      about: 'provider cluster of the functions in functions/local; any credentials',
      lines: [`kubectl --server ${url} get namespaces,ippools,networkpolicies,pods,services -A`],
    }),
  },
  credentials: { kubeconfig: 'made-up-by-trellis-replay' },
  cluster: madeUpCluster,
  plans: { DNSRecord: 'local', Infrastructure: 'local', Bastion: 'local', SelfHostedShootExposure: 'local' },
  plansWithoutSecret: ['DNSRecord'],
  simulate: async settings => (await import('./simulate.ts')).simulateLocal(settings),
  connect: async settings => (await import('./connect.ts')).connectLocal(settings),
  parseState: async value => (await import('./parse-state.ts')).parseState(value),
  functionSettings: () => ({}),
  plan: async (object, surroundings) =>
    object.kind === 'DNSRecord'
      ? (await import('./plan-record.ts')).planRecord(object, surroundings)
      : (await import('./plan.ts')).planObject(object, surroundings),
}
