import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

export const shootNamespace = 'shoot--p--s'

const secretRef = { name: 'credentials', namespace: shootNamespace }

/** A valid spec of every kind, without `type`. */
const specs: Readonly<Record<KindName, Readonly<Record<string, unknown>>>> = {
  Infrastructure: { region: 'eu-west-1', secretRef },
  DNSRecord: { secretRef, name: 'api.example.com', recordType: 'A', values: ['192.0.2.1'] },
  BackupBucket: { region: 'eu-west-1', secretRef },
  BackupEntry: { region: 'eu-west-1', bucketName: 'bucket', secretRef },
  Bastion: { userData: 'I2Nsb3Vk', ingress: [{ ipBlock: { cidr: '192.0.2.0/24' } }] },
  Worker: { region: 'eu-west-1', secretRef, pools: [] },
  ControlPlane: { region: 'eu-west-1', secretRef },
  Network: { podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
  OperatingSystemConfig: { purpose: 'reconcile' },
  ContainerRuntime: {
    binaryPath: '/var/bin/containerruntimes',
    workerPool: { name: 'pool', selector: { matchLabels: { 'worker.gardener.cloud/pool': 'pool' } } },
  },
  Extension: {},
  SelfHostedShootExposure: {
    port: 443,
    endpoints: [{ nodeName: 'node', addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] }],
  },
}

export interface Sample {
  readonly annotation?: 'reconcile' | 'restore' | 'migrate' | 'wait-for-state'
  readonly timestamp?: string
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizers?: readonly string[]
  readonly spec?: Readonly<Record<string, unknown>>
  readonly namespace?: string
}

/** Returns an object of a kind and of type `test` in gardenlet's form. */
export const sampleObject = (kind: KindName, sample: Sample = {}): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: {
    name: 'it',
    ...(kinds[kind].namespaced ? { namespace: sample.namespace ?? shootNamespace } : {}),
    ...(sample.finalizers === undefined ? {} : { finalizers: sample.finalizers }),
    annotations: {
      [annotations.deletionConfirmation]: 'true',
      [annotations.timestamp]: sample.timestamp ?? '2026-11-21T12:00:00.000000001Z',
      ...(sample.annotation === undefined ? {} : { [annotations.operation]: sample.annotation }),
      ...sample.annotations,
    },
  },
  spec: { type: 'test', ...specs[kind], ...sample.spec },
})
