import type { webhookRecordings } from '../beside/beside.ts'

/** The cases whose calls to AWS are recorded. */
export const callCases = [
  'dnsrecord/a',
  'dnsrecord/cname-elb-alias',
  'backupbucket/plain',
  'infrastructure/n1',
  'infrastructure/n3-s3',
  'bastion/bastion',
] as const

/** The contents of the account, by case. */
export const accountFiles: Readonly<Record<string, string>> = {
  'backupbucket/plain': 'backupbucket/cloud--aws--plain.aws.json',
  'infrastructure/n1': 'infrastructure/n1.aws.json',
  'infrastructure/n3-s3': 'infrastructure/n3-s3.aws.json',
  'bastion/bastion': 'bastion/bastion.aws.json',
}

/** The usual reviews, by the names of their cases in each file. */
export const usualReviewCases: Readonly<
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
