import type { Provider } from '../provider.ts'
import { furnishedZone } from './furnished-zone.ts'
import { madeUpCluster } from './made-up-cluster.ts'
import { awsReads } from './reads.ts'
import type { ProvidedAws } from './simulate.ts'

const title = 'AWS'

/** Explains the scale of durations. */
const scale = 'with 0.01, a NAT gateway takes one second'

export const provider: Provider<ProvidedAws> = {
  name: 'aws',
  title,
  texts: {
    owner: 'Amazon',
    scale,
    howToStart: port => `Start an AWS there with: trellis aws --port ${port}`,
    welcome: url => ({
      about: `any credentials; owns the hosted zone ${furnishedZone.name} (${furnishedZone.id})`,
      lines: [
        'export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=eu-west-1',
        `aws --endpoint-url ${url} route53 list-resource-record-sets --hosted-zone-id ${furnishedZone.id}`,
        `aws --endpoint-url ${url} ec2 describe-vpcs`,
      ],
    }),
  },
  credentials: { accessKeyID: 'AKIAREPLAY0000000000', secretAccessKey: 'made-up-by-trellis-replay' },
  cluster: madeUpCluster,
  plans: {
    Infrastructure: 'aws',
    DNSRecord: 'aws-route53',
    BackupBucket: 'aws',
    BackupEntry: 'aws',
    Bastion: 'aws',
    Worker: 'aws',
    ControlPlane: 'aws',
  },
  commands: {
    aws: {
      summary: 'Start a simulated AWS for aws-cli and any SDK',
      load: async () => (await import('./command/aws-command.ts')).awsCommand({ title, scale }),
    },
  },
  simulate: async settings => (await import('./simulate.ts')).simulateAws(settings),
  fillCaches: async () => (await import('./fill-caches.ts')).fillCaches(),
  connect: async settings => (await import('./connect.ts')).connectAws(settings),
  reads: awsReads,
  parseState: async value => (await import('./parse-state.ts')).parseState(value),
  // A search already takes a while.
  functionSettings: scale => ({
    waitScale: Math.min(1, Math.max(0.001, 2 * scale)),
  }),
  plan: async (object, surroundings) => (await import('./plan.ts')).planObject(object, surroundings),
  accounts: async request => (await import('./accounts.ts')).awsAccounts(request),
  resources: async () => (await import('./resources.ts')).awsResources,
  stops: async cloud => (await import('./demo/stops.ts')).awsStops(cloud),
  simulation: async () => (await import('./simulation/random-aws.ts')).randomAws,
  pages: async () => (await import('./pages.ts')).awsPages(),
}
