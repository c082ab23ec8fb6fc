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
    owner: 'the kubeconfig in the Secret',
    scale: 'with 0.01, the deletion of a namespace takes a tenth of a second',
    howToStart: port => `Start a provider cluster there with: trellis dev --local-port ${port}`,
    welcome: url => ({
      about: 'provider cluster of the functions in functions/local; any credentials',
      lines: [`kubectl --server ${url} get namespaces,ippools,networkpolicies,pods,services -A`],
    }),
  },
  credentials: { kubeconfig: 'made-up-by-trellis-replay' },
  cluster: madeUpCluster,
  plans: {
    DNSRecord: 'local',
    Infrastructure: 'local',
    Worker: 'local',
    Bastion: 'local',
    SelfHostedShootExposure: 'local',
  },
  plansWithoutSecret: ['DNSRecord'],
  simulation: async () => {
    const { runDirectory } = await import('./simulation/run-directory.ts')
    return (await import('./simulation/random-local.ts')).randomLocal(runDirectory())
  },
  simulate: async settings => (await import('./simulate.ts')).simulateLocal(settings),
  connect: async settings => (await import('./connect.ts')).connectLocal(settings),
  parseState: async value => (await import('./parse-state.ts')).parseState(value),
  functionSettings: () => ({}),
  plan: async (object, surroundings) => {
    switch (object.kind) {
      case 'DNSRecord':
        return (await import('./plan-record.ts')).planRecord(object, surroundings)
      case 'Worker':
        return (await import('./plan-worker.ts')).planWorker(object, surroundings)
      default:
        return (await import('./plan.ts')).planObject(object, surroundings)
    }
  },
}
