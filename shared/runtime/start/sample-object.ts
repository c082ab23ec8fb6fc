import { annotations, apiVersion, group } from '../../contract/constants.ts'
import { clusterKind, type KindName, kinds } from '../../contract/kinds.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'

/** Of the shoot whose objects these are. */
export const sampleNamespace = 'shoot--foo--bar'
const namespace = sampleNamespace
const secretRef = { name: 'cloudprovider', namespace }
const place = { region: 'eu-west-1', secretRef }

/** What the spec of a kind needs beside its type. */
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

/** Objects of a seed with one of this kind that gardenlet wants reconciled, by their paths in its API. */
export const sampleSeed = (
  kind: KindName,
  type: string,
): { readonly object: KubernetesObject; readonly byPath: Map<string, KubernetesObject> } => {
  const { resource } = kinds[kind]
  const scope = resource.namespaced ? { namespace } : {}
  const object: KubernetesObject = {
    apiVersion,
    kind,
    metadata: {
      name: 'bar',
      ...scope,
      uid: '00000000-0000-4000-8000-000000000000',
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: { [annotations.operation]: 'reconcile', [annotations.timestamp]: '2026-01-01T00:00:00Z' },
    },
    spec: { type, ...specs[kind] },
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
  const pathOf = (plural: string, name: string, namespaced: boolean): string =>
    `/apis/${group}/v1alpha1/${namespaced ? `namespaces/${namespace}/` : ''}${plural}/${name}`
  return {
    object,
    byPath: new Map([
      [pathOf(resource.plural, 'bar', resource.namespaced), object],
      [pathOf(clusterKind.resource.plural, namespace, false), cluster],
      [`/api/v1/namespaces/${namespace}/secrets/${secretRef.name}`, secret],
    ]),
  }
}
