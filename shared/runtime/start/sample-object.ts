import { annotations, apiVersion } from '../../contract/constants.ts'
import { type KindName, kindOf, kinds } from '../../contract/kinds.ts'
import { recordOf } from '../../decode/record-of.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** The namespace of the shoot that owns the sample objects. */
export const sampleNamespace = 'shoot--foo--bar'
const namespace = sampleNamespace
const secretRef = { name: 'cloudprovider', namespace }
const place = { region: 'eu-west-1', secretRef }

/** The fields that the spec of a kind needs besides its type. */
const specs: Readonly<Record<KindName, object>> = {
  Infrastructure: place,
  DNSRecord: { secretRef, name: 'api.bar.example.com', recordType: 'A', values: ['203.0.113.10'] },
  BackupBucket: place,
  BackupEntry: { ...place, bucketName: 'bar' },
  Bastion: { userData: '', ingress: [{ ipBlock: { cidr: '203.0.113.0/24' } }] },
  Worker: { ...place, pools: [] },
  ControlPlane: place,
  Network: { podCIDR: '100.96.0.0/11', serviceCIDR: '100.64.0.0/13' },
  OperatingSystemConfig: { purpose: 'provision', units: [], files: [] },
  ContainerRuntime: { binaryPath: '/var/bin', workerPool: { name: 'pool', selector: {} } },
  Extension: {},
  SelfHostedShootExposure: { endpoints: [], port: 443 },
}

/** A seed for warming up. */
export interface SampleSeed {
  /** The object that gardenlet wants reconciled. */
  readonly object: KubernetesObject
  /** All objects, by their paths in the API. */
  readonly byPath: Map<string, KubernetesObject>
}

/**
 * Returns a seed with an object of this kind and type that gardenlet wants reconciled.
 *
 * @param given additional objects, or replacements of default ones; the first is the one to reconcile
 */
export const sampleSeed = (
  kind: KindName,
  type: string,
  [first, ...others]: readonly KubernetesObject[] = [],
): SampleSeed => {
  const { resource } = kinds[kind]
  const scope = resource.namespaced ? { namespace } : {}
  const object: KubernetesObject = {
    apiVersion,
    kind,
    ...first,
    metadata: {
      name: 'bar',
      ...(first === undefined ? scope : first.metadata),
      uid: '00000000-0000-4000-8000-000000000000',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { [annotations.operation]: 'reconcile', [annotations.timestamp]: '2026-01-01T00:00:00Z' },
    },
    spec: first?.spec ?? { type, ...specs[kind] },
  }
  const cluster: KubernetesObject = {
    apiVersion,
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile: {}, seed: {}, shoot: { status: { lastOperation: { state: 'Processing' } } } },
  }
  const secret: KubernetesObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: secretRef,
    data: { accessKeyID: btoa('SAMPLE00000000000000'), secretAccessKey: btoa('a-sample-and-no-secret') },
  }
  return {
    object,
    byPath: new Map([cluster, secret, ...others, object].map(each => [pathOf(each), stored(each)])),
  }
}

/** Returns the object as an API server stores it: the `stringData` of a Secret is moved to `data`. */
const stored = (object: KubernetesObject): KubernetesObject => {
  const { stringData, ...rest } = object
  const texts = Object.entries(recordOf(stringData)).map(([key, text]) => [key, btoa(String(text))])
  return texts.length === 0
    ? object
    : { ...rest, data: { ...recordOf(object.data), ...Object.fromEntries(texts) } }
}

const pathOf = ({ apiVersion, kind, metadata: { name, namespace } }: KubernetesObject): string => {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const folder = namespace === undefined ? root : `${root}/namespaces/${namespace}`
  const plural = kindOf(kind)?.resource.plural ?? `${kind.toLowerCase()}s`
  return `${folder}/${plural}/${name}`
}
