import { existsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The folder beside the repository with data of other projects. Only the developers of Trellis have it, and it is not
 * part of Trellis.
 */
export const besideFolder = join(import.meta.dirname, '..', '..', '..', 'shared')

/** Recorded lives of Workers (`golden/worker/<name>.json`). */
export const workerCases = [
  'capabilities',
  'data-volumes',
  'hibernate',
  'image-change',
  'in-place-auto',
  'kubernetes-1-34',
  'machine-failed',
  'migrate',
  'minimal',
  'own-labels',
  'pool-removed',
  'restore',
  'scale',
  'three-zones-percent',
  'upgrade-133-134',
  'user-data-change',
] as const

/** Recorded ControlPlanes (`golden/controlplane/<name>.json`). */
export const controlPlaneCases = [
  'byo-workers',
  'crc',
  'default',
  'dual',
  'efs',
  'lb',
  'map136',
  'noclass',
  'nodeannot',
  'v134',
  'v136',
  'vac133',
  'wi',
] as const

/** Recorded ControlPlanes of the provider OpenStack (`golden/openstack/controlplane/<name>.json`). */
export const openstackControlPlaneCases = [
  'application-credential',
  'default',
  'feature-gates',
  'hibernated',
  'kubernetes-1-34',
  'kubernetes-1-35',
  'load-balancer-classes',
  'manila',
  'profile-options',
] as const

/** Recorded lives of ControlPlanes (`golden/controlplane/scenario-<name>.json`). */
export const controlPlaneScenarios = [
  'lifecycle',
  'hibernate',
  'force-delete',
  'migrate',
  'rotation',
  'webhooks-unhealthy',
] as const

/** Recorded lives of Networks (`golden/network/<name>.json`). */
export const networkCases = ['calico-default', 'calico-overlay-off'] as const

/** Recorded webhook reviews in seeds and shoots (`golden/webhooks/<name>.json`). */
export const webhookRecordings = [
  'cloudprovider',
  'controlplane.kube-apiserver',
  'controlplane.kube-controller-manager',
  'controlplane.machine-controller-manager-vpa',
  'controlplane.machine-controller-manager',
  'controlplane.operatingsystemconfig',
  'controlplane.scheduler-autoscaler',
  'handler',
  'seed-pvca',
  'seedprovider',
  'shoot-configmap',
  'shoot-service-nginx-ingress',
  'shoot-service',
  'terraformer',
] as const

/** Recorded webhook reviews of the provider OpenStack (`golden/openstack/webhooks/<name>.json`). */
export const openstackWebhookRecordings = [
  'cloudprovider',
  'controlplane.kube-apiserver',
  'controlplane.machine-controller-manager',
  'controlplane.operatingsystemconfig',
  'controlplane.scheduler-autoscaler',
  'registrations',
  'seedprovider',
] as const

/** Recorded admission reviews in the garden (`golden/admission/<name>.json`). */
export const admissionRecordings = [
  'bindings',
  'cloudprofile',
  'handler',
  'mutate.cloudprofile',
  'mutate.namespacedcloudprofile',
  'mutate.shoot',
  'namespacedcloudprofile',
  'secret',
  'seed-backupbucket',
  'shoot',
] as const

/**
 * Recorded lives and reviews of the provider `local`, compared by the tests of control planes and workers
 * (`golden/local/<name>.json`).
 */
export const localRecordings = [
  'controlplane',
  'worker',
  'webhooks/controlplane',
  'webhooks/networkpolicy',
  'webhooks/node',
  'webhooks/prometheus',
  'webhooks/shoot',
] as const

/** Recorded lives of single objects with Gardener's provider-local (`golden/<name>.json`). */
export const lifeRecordings = [
  'local/dnsrecord-a',
  'local/backupbucket',
  'local/backupentry',
  'local/bastion',
  'local/infrastructure-ipv4',
  'local/selfhostedshootexposure',
  'extension/local-ext-seed',
  'extension/local-ext-shoot',
  'extension/local-ext-shoot-after-worker',
] as const

/** Recorded lives of OperatingSystemConfigs (`golden/operatingsystemconfig/<name>.json`). */
export const operatingSystemCases = ['gardenlinux', 'local', 'suse-chost', 'ubuntu'].flatMap(name => [
  `${name}-provision`,
  `${name}-reconcile`,
])

/** The folders, their content, and the files that comparisons here read. */
export const besideParts = {
  golden: {
    what: 'the original recordings of the Go extension',
    files: [
      ...['a', 'cname-elb-alias'].flatMap(name => [
        `dnsrecord/${name}.calls.json`,
        `dnsrecord/${name}.cr.json`,
      ]),
      ...['n1', 'n3-s3'].flatMap(name =>
        ['aws', 'calls', 'cr'].map(part => `infrastructure/${name}.${part}.json`),
      ),
      'backupbucket/plain.calls.json',
      'backupbucket/cloud--aws--plain.aws.json',
      'bastion/bastion.calls.json',
      'bastion/bastion.aws.json',
      ...workerCases.map(name => `worker/${name}.json`),
      ...controlPlaneCases.map(name => `controlplane/${name}.json`),
      ...openstackControlPlaneCases.map(name => `openstack/controlplane/${name}.json`),
      ...networkCases.map(name => `network/${name}.json`),
      'controlplane/crds-3.json',
      'controlplane/crds-5.json',
      'worker/errors.json',
      'worker/hash-vectors.json',
      'admission/fixtures.json',
      ...admissionRecordings.map(name => `admission/${name}.json`),
      ...localRecordings.map(name => `local/${name}.json`),
      'webhooks/registrations.json',
      ...webhookRecordings.map(name => `webhooks/${name}.json`),
      ...operatingSystemCases.map(name => `operatingsystemconfig/${name}.json`),
      'operatingsystemconfig/gardenlinux-webhook.json',
      'containerruntime/gvisor.json',
      'machine-controller/timelines.txt',
      'health.json',
      ...lifeRecordings.map(name => `${name}.json`),
      ...controlPlaneScenarios.map(name => `controlplane/scenario-${name}.json`),
    ],
  },
  crds: {
    what: 'CustomResourceDefinitions of Gardener and Knative',
    files: [
      ...[
        'backupbuckets',
        'backupentries',
        'bastions',
        'clusters',
        'containerruntimes',
        'controlplanes',
        'dnsrecords',
        'extensions',
        'infrastructures',
        'networks',
        'operatingsystemconfigs',
        'selfhostedshootexposures',
        'workers',
      ].map(plural => `extensions.gardener.cloud_${plural}.yaml`),
      'eventing.knative.dev_brokers.yaml',
      'eventing.knative.dev_triggers.yaml',
      'serving.knative.dev_services.yaml',
      'sources.knative.dev_sinkbindings.yaml',
    ],
  },
} as const

export type BesidePart = keyof typeof besideParts

/** Returns the path of a file beside the repository. The file may not exist. */
export const besidePath = (part: BesidePart, file = ''): string => join(besideFolder, part, file)

/**
 * Returns true if a folder exists. The global set-up of the tests reports a missing folder, and in CI requires its
 * files.
 */
export const isBeside = (part: BesidePart): boolean => existsSync(besidePath(part))

/** Returns the name of a suite that needs a folder. If the suite is skipped, the name has the reason. */
export const withBeside = (part: BesidePart, name: string): string =>
  isBeside(part) ? name : `${name} (skipped: no ${besideParts[part].what} beside the repository)`
