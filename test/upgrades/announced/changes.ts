import type { SourceChange } from './copied-sources.ts'

/** A change of the code, what `trellis upgrade` announces for it, and what the changed code then does. */
export interface SeededChange extends SourceChange {
  readonly title: string
  /** Matches its announced lines: `Worker iris: roll: …`. */
  readonly announced: RegExp
  /** Matches its calls to AWS, its written objects, and its failures. */
  readonly done: RegExp
}

const controlPlane = (name: string) => `update \\S+ \\S+/extension-controlplane-${name}$`
const aws = 'functions/aws'
const infrastructure = 'terraform-free-infra/aws/infrastructure'

/** One changed version, in which the changes do not depend on each other. */
export const writes: readonly SeededChange[] = [
  {
    title: 'a tag of subnets',
    file: `${infrastructure}/tags.ts`,
    find: `tags: { 'kubernetes.io/role/elb': '1' }`,
    replace: `tags: { 'kubernetes.io/role/elb': 'shared' }`,
    announced: /^Infrastructure iris: write: .*subnet public.*: tag kubernetes.io\/role\/elb: 1 → shared$/,
    done: /^CreateTags subnet-\w+ kubernetes.io\/role\/elb=shared$/,
  },
  {
    title: 'the ports of load balancers',
    file: `${infrastructure}/network/nodes-group/nodes-rules.ts`,
    find: `'30000-32767'`,
    replace: `'30000-33000'`,
    announced: /^Infrastructure iris: write: update nodes security group: ingress \w+ 30000-33000 /,
    done: /^AuthorizeSecurityGroupIngress sg-\w+ tcp 30000-33000 /,
  },
  {
    title: 'a permission of nodes',
    file: `${infrastructure}/identity/node-policies.ts`,
    find: `'ecr:ListImages'`,
    replace: `'ecr:DescribeImages'`,
    announced: /^Infrastructure iris: write: update IAM role policy \S+-nodes: document: /,
    done: /^PutRolePolicy shoot--garden--iris-nodes /,
  },
  {
    title: 'the TTL of records',
    file: `${aws}/dnsrecord/actuator.ts`,
    find: 'ttl: spec.ttl ?? defaultRecordTtlSeconds',
    replace: 'ttl: 300',
    announced: /^DNSRecord iris-\w+: write: update A record \S+: ttl: 120 → 300$/,
    done: /^ChangeResourceRecordSets UPSERT A /,
  },
  {
    title: 'the days after which an upload is aborted',
    file: `${aws}/backupbucket/s3/bucket/lifecycle-rules.ts`,
    find: 'const abortDays = 7',
    replace: 'const abortDays = 3',
    announced: /^BackupBucket \S+: write: abort uploads to bucket /,
    done: /^PutBucketLifecycleConfiguration /,
  },
  {
    title: 'a tag of machines',
    file: `${aws}/worker/machines/machine-class/class-content.ts`,
    find: `'kubernetes.io/role/node': '1'`,
    replace: `'kubernetes.io/role/node': '2'`,
    announced:
      /^Worker iris: write: .* pool all; .*: providerSpec\.tags\."kubernetes.io\/role\/node": 1 → 2$/,
    done: /^update machineclasses\S* \S+-all-z1-\w+$/,
  },
  {
    title: 'a default of MachineDeployments',
    file: 'shared/worker/objects/deployment-object.ts',
    find: 'minReadySeconds: 500',
    replace: 'minReadySeconds: 400',
    announced: /^Worker iris: write: .* pool all; .*: .*minReadySeconds: 500 → 400$/,
    done: /^update machinedeployments\S* \S+-all-z1$/,
  },
  {
    title: 'a flag of a controller',
    file: `${aws}/controlplane/cloud-controller/cloud-controller.ts`,
    find: '--concurrent-service-syncs=10',
    replace: '--concurrent-service-syncs=20',
    announced: /^ControlPlane iris: write: .*-seed: .* --concurrent-service-syncs=[12]0$/,
    done: new RegExp(controlPlane('seed')),
  },
  {
    title: 'a memory request',
    file: `${aws}/controlplane/cloud-controller/cloud-controller.ts`,
    find: `resources: memory('100Mi')`,
    replace: `resources: memory('128Mi')`,
    announced: /^ControlPlane iris: write: .*-seed: .*memory: 1(?:00|28)Mi$/,
    done: new RegExp(controlPlane('seed')),
  },
  {
    title: 'a parameter of StorageClasses',
    file: `${aws}/controlplane/csi/storage-classes.ts`,
    find: `parameters: { encrypted: 'true' }`,
    replace: `parameters: { encrypted: 'true', type: 'gp3' }`,
    announced: /^ControlPlane iris: write: .*-storageclasses: .*type: gp3$/,
    done: new RegExp(controlPlane('storageclasses')),
  },
  {
    title: 'an annotation in a ManagedResource of the shoot',
    file: `${aws}/controlplane/cloud-controller/cloud-controller.ts`,
    find: `annotations: { 'resources.gardener.cloud/keep-object': 'true' },`,
    replace: `annotations: { 'resources.gardener.cloud/keep-object': 'yes' },`,
    announced: /^ControlPlane iris: write: .*-shoot: .*ClusterRoleBinding .*keep-object/,
    done: new RegExp(controlPlane('shoot')),
  },
  {
    title: 'a configuration of Calico',
    file: 'functions/calico/network/node/config-map.ts',
    find: `"log_level": "error"`,
    replace: `"log_level": "info"`,
    announced:
      /^Network iris: write: .*extension-networking-calico-config.*: update (?:ConfigMap|DaemonSet) /,
    done: /^update (?:secrets|managedresources\S*) \S+\/extension-networking-calico-config$/,
  },
  {
    title: 'a limit in the units of nodes',
    file: 'functions/gardenlinux/operatingsystemconfig/garden-linux.ts',
    find: 'LimitNOFILE=1048576',
    replace: 'LimitNOFILE=2097152',
    announced: /^OperatingSystemConfig \S+: status: .*LimitNOFILE=/,
    done: /^status OperatingSystemConfig \S+$/,
  },
]

/** A version that rolls nodes, and renames and removes objects. */
export const rolls: readonly SeededChange[] = [
  {
    title: 'a hash input of Workers',
    file: 'shared/worker/desired/class-hash.ts',
    find: '  ...hashInputs,\n]',
    replace: `  ...hashInputs,\n  { name: 'metadata service', datum: 'v2' },\n]`,
    announced:
      /^Worker iris: roll: roll pool all: replace 2 machines.*: because of metadata service: none → v2$/,
    done: /^(?:(?:create|delete) (?:machineclasses\S*|secrets) \S+-all-z1-\w+|update machinedeployments\S* \S+|(?:RunInstances|ModifyNetworkInterfaceAttribute|TerminateInstances) .*)$/,
  },
  {
    title: 'a removed object',
    file: `${aws}/controlplane/cloud-controller/cloud-controller.ts`,
    find: `verticalPodAutoscaler(rendering.namespace, cloudControllerName, [`,
    replace: '...[].map(() => [',
    announced:
      /^ControlPlane iris: write: .*-seed: delete VerticalPodAutoscaler \S+cloud-controller-manager-vpa$/,
    done: new RegExp(controlPlane('seed')),
  },
  {
    title: 'a renamed object',
    file: `${aws}/controlplane/cloud-controller/cloud-controller.ts`,
    find: 'name: roleName(cloudControllerName),',
    replace: `name: roleName(cloudControllerName.concat('-next')),`,
    announced:
      /^ControlPlane iris: write: .*-shoot: (?:(?:create|delete) )?ClusterRoleBinding \S+cloud-controller-manager(?:-next)?(?: is retained)?$/,
    done: new RegExp(controlPlane('shoot')),
  },
  {
    title: 'a renamed default StorageClass',
    file: `${aws}/controlplane/csi/storage-classes.ts`,
    find: `kind: 'StorageClass',\n  metadata: {\n    name: 'default',`,
    replace: `kind: 'StorageClass',\n  metadata: {\n    name: 'usual',`,
    announced:
      /^ControlPlane iris: write: .*-storageclasses: (?:create|delete) StorageClass (?:usual|default)$/,
    done: new RegExp(controlPlane('storageclasses')),
  },
]

/** A version with stricter rules. */
export const refusals: readonly SeededChange[] = [
  {
    title: 'a stricter rule for Infrastructures',
    file: `${infrastructure}/config/problems/config-problems.ts`,
    find: '  ...networkProblems(config),',
    replace: `  ...networkProblems(config),\n  { path: 'networks', message: 'expected two zones' },`,
    announced: /^Infrastructure iris: refuse: .*expected two zones/,
    done: /^Infrastructure iris fails: .*expected two zones/,
  },
  {
    title: 'a stricter rule for DNSRecords',
    file: `${aws}/dnsrecord/actuator.ts`,
    find: '  const problems = [...dnsRecordProblems(object),',
    replace: `  const problems = [{ path: 'spec.ttl', message: 'required' }, ...dnsRecordProblems(object),`,
    announced: /^DNSRecord iris-\w+: refuse: .*spec\.ttl: required/,
    done: /^DNSRecord iris-\w+ fails: .*spec\.ttl: required/,
  },
  {
    title: 'a stricter rule for bucket names',
    file: `${aws}/backupbucket/s3/bucket/bucket-name.ts`,
    find: 'if (name.length < 3 ||',
    replace: `if (name.includes('-')) return 'no dash'\n  if (name.length < 3 ||`,
    announced: /^Backup(?:Bucket|Entry) \S+: refuse: .*no dash/,
    done: /^Backup(?:Bucket|Entry) \S+ fails: .*no dash/,
  },
  {
    title: 'a stricter rule for the volumes of a pool',
    file: `${aws}/worker/machines/machine-class/block-devices.ts`,
    find: 'volumeSize: gibOf(what, size),',
    replace: `volumeSize: ((): number => { throw new Error('root disk: too small') })(),`,
    announced: /^Worker iris: refuse: pool all: .*too small/,
    done: /^Worker iris fails: .*too small/,
  },
]
