import type * as z from 'zod'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import { type ApiKind, type ApiKindTraits, apiKind } from './api-kind.ts'
import { finalizerOf, group } from './constants.ts'
import { type KindName, kindNames } from './kind-names.ts'
import { age, column, region, state, type } from './printer-columns.ts'
import { backupBucketSchema } from './schemas/backup-bucket.ts'
import { backupEntrySchema } from './schemas/backup-entry.ts'
import { bastionSchema } from './schemas/bastion.ts'
import { clusterSchema } from './schemas/cluster.ts'
import { containerRuntimeSchema } from './schemas/container-runtime.ts'
import { controlPlaneSchema } from './schemas/control-plane.ts'
import { dnsRecordSchema } from './schemas/dns-record.ts'
import { extensionSchema } from './schemas/extension.ts'
import { infrastructureSchema } from './schemas/infrastructure.ts'
import { networkSchema } from './schemas/network.ts'
import { operatingSystemConfigSchema } from './schemas/operating-system-config.ts'
import { selfHostedShootExposureSchema } from './schemas/self-hosted-shoot-exposure.ts'
import { workerSchema } from './schemas/worker.ts'

export { type KindName, kindNames }

/** Facts of a kind that every backend needs. */
export interface KindInfo<S extends z.ZodType<KubernetesObject> = z.ZodType<KubernetesObject>>
  extends ApiKind<S> {
  readonly kind: KindName
  /**
   * Returns the backend's finalizer. An Extension backend must give the suffix, because several such backends coexist;
   * throws without one. All others ignore the argument.
   */
  readonly finalizer: (suffix?: string) => string
  /**
   * Timeout of one attempt in the Go library, in milliseconds. Undefined: no limit
   * (docs/contract/lifecycle.md#retries-and-deadlines).
   */
  readonly attemptDeadlineMs: number | undefined
}

const minute = 60_000

const extensionKind = <S extends z.ZodType<KubernetesObject>>(
  kind: KindName,
  traits: ApiKindTraits<S> & {
    readonly attemptDeadlineMs?: number | undefined
    readonly finalizerSuffix?: string
  },
): KindInfo<S> => {
  const suffix = traits.finalizerSuffix ?? kind.toLowerCase()
  return {
    ...apiKind(group, kind, traits),
    kind,
    finalizer: () => finalizerOf(suffix),
    attemptDeadlineMs: 'attemptDeadlineMs' in traits ? traits.attemptDeadlineMs : 3 * minute,
  }
}

const finalizerOfExtension = (suffix?: string): string => {
  if (suffix === undefined) throw new TypeError('an Extension backend must choose its own finalizer suffix')
  return finalizerOf(suffix)
}

/** All extension kinds by name. */
export const kinds = {
  Infrastructure: extensionKind('Infrastructure', {
    schema: infrastructureSchema,
    shortNames: ['infra'],
    attemptDeadlineMs: 20 * minute,
    printerColumns: [type, region, state('Status'), age],
  }),
  DNSRecord: extensionKind('DNSRecord', {
    schema: dnsRecordSchema,
    shortNames: ['dns'],
    printerColumns: [
      type,
      column('Domain Name', '.spec.name', 'domain name of the record'),
      column('Record Type', '.spec.recordType', 'type of the record'),
      state('Status'),
      age,
    ],
  }),
  BackupBucket: extensionKind('BackupBucket', {
    schema: backupBucketSchema,
    shortNames: ['bb'],
    namespaced: false,
    printerColumns: [type, region, state('State'), age],
  }),
  BackupEntry: extensionKind('BackupEntry', {
    schema: backupEntrySchema,
    plural: 'backupentries',
    shortNames: ['be'],
    namespaced: false,
    printerColumns: [
      type,
      region,
      column('Bucket', '.spec.bucketName', 'name of the bucket'),
      state('State'),
      age,
    ],
  }),
  Bastion: extensionKind('Bastion', {
    schema: bastionSchema,
    attemptDeadlineMs: 20 * minute,
    printerColumns: [
      column('IP', '.status.ingress.ip', 'address of the bastion'),
      column('Hostname', '.status.ingress.hostname', 'host name of the bastion'),
      age,
    ],
  }),
  Worker: extensionKind('Worker', {
    schema: workerSchema,
    attemptDeadlineMs: 20 * minute,
    printerColumns: [type, region, state('Status'), age],
  }),
  ControlPlane: extensionKind('ControlPlane', {
    schema: controlPlaneSchema,
    shortNames: ['cp'],
    printerColumns: [type, state('Status'), age],
  }),
  Network: extensionKind('Network', {
    schema: networkSchema,
    printerColumns: [
      type,
      column('Pod CIDR', '.spec.podCIDR', 'CIDR of the pods'),
      column('Service CIDR', '.spec.serviceCIDR', 'CIDR of the services'),
      state('Status'),
      age,
    ],
  }),
  OperatingSystemConfig: extensionKind('OperatingSystemConfig', {
    schema: operatingSystemConfigSchema,
    shortNames: ['osc'],
    // The only plural suffix (docs/contract/lifecycle.md#finalizers).
    finalizerSuffix: 'operatingsystemconfigs',
    printerColumns: [type, column('Purpose', '.spec.purpose', 'purpose of the config'), state('Status'), age],
  }),
  ContainerRuntime: extensionKind('ContainerRuntime', {
    schema: containerRuntimeSchema,
    shortNames: ['cr'],
    printerColumns: [type, state('Status'), age],
  }),
  Extension: {
    ...extensionKind('Extension', {
      schema: extensionSchema,
      shortNames: ['ext'],
      printerColumns: [type, state('Status'), age],
    }),
    finalizer: finalizerOfExtension,
  },
  SelfHostedShootExposure: extensionKind('SelfHostedShootExposure', {
    schema: selfHostedShootExposureSchema,
    shortNames: ['exp'],
    attemptDeadlineMs: undefined,
    printerColumns: [
      type,
      column('IP', '.status.ingress[0].ip', 'address of the API server'),
      column('Hostname', '.status.ingress[0].hostname', 'host name of the API server'),
      state('Status'),
      age,
    ],
  }),
} satisfies Record<KindName, KindInfo>

/** The object type of a kind: `ObjectOf<'DNSRecord'>` is `DNSRecord`. */
export type ObjectOf<K extends KindName> = z.infer<(typeof kinds)[K]['schema']>

/** Read by backends, never reconciled. */
export const clusterKind = apiKind(group, 'Cluster', {
  schema: clusterSchema,
  namespaced: false,
  printerColumns: [age],
})

export const isKindName = (kind: string): kind is KindName => Object.hasOwn(kinds, kind)

/** Returns the kind with this name, plural or short name, in any case: `Worker`, `dns`. */
export const kindCalled = (name: string): KindName | undefined =>
  kindNames.find(kind => {
    const { plural, singular, shortNames } = kinds[kind]
    return [kind, plural, singular, ...shortNames].some(one => one.toLowerCase() === name.toLowerCase())
  })

/** Returns the kind with this name, or undefined if it is not an extension kind. */
export const kindOf = (kind: string): KindInfo | undefined => (isKindName(kind) ? kinds[kind] : undefined)
