import type { webhookRecordings } from '../beside/beside.ts'

/** The cases in this folder, and the files of each beside the repository. */
export const ownCases = [
  { name: 'dnsrecord/a', object: 'dnsrecord/a.cr.json' },
  { name: 'dnsrecord/cname-elb-alias', object: 'dnsrecord/cname-elb-alias.cr.json' },
  { name: 'backupbucket/plain', account: 'backupbucket/cloud--aws--plain.aws.json' },
  {
    name: 'infrastructure/n1',
    object: 'infrastructure/n1.cr.json',
    account: 'infrastructure/n1.aws.json',
  },
  {
    name: 'bastion/bastion',
    object: 'bastion/bastion.cr.json',
    account: 'bastion/bastion.aws.json',
  },
] as const satisfies readonly { name: string; object?: string; account?: string }[]

/** The reviews in this folder, by the names of their cases in each file. */
export const ownReviewCases: Readonly<
  Partial<Record<(typeof webhookRecordings)[number], readonly string[]>>
> = {
  cloudprovider: ['static credentials', 'workload identity, YAML config', 'key id missing'],
  'controlplane.kube-apiserver': [
    'legacy flags, env and checksums are removed',
    'VolumeAttributesClass annotation, 1.33, gates and runtime config exist',
  ],
  'controlplane.kube-controller-manager': [
    'dual-stack',
    'env, mounts, volumes, labels, checksums are removed',
  ],
  'controlplane.machine-controller-manager': ['static credentials', 'workload identity'],
  'controlplane.machine-controller-manager-vpa': ['policy is added'],
  'controlplane.operatingsystemconfig': ['reconcile, defaults'],
  'controlplane.scheduler-autoscaler': ['kube-scheduler VAC 1.33'],
  'seed-pvca': ['short and long'],
  seedprovider: ['etcd-main new', 'etcd-main old keeps class and size'],
  'shoot-configmap': ['adds key'],
  'shoot-service': ['dual-stack shoot, new service', 'existing service gets ignore'],
  'shoot-service-nginx-ingress': ['new service'],
  terraformer: ['workload identity'],
}
