import { backupBucketConfigSchema } from '../../functions/aws/backupbucket/s3/rules.ts'
import { workerConfigSchema } from '../../functions/aws/worker/machines/machines.ts'
import {
  apiVersion,
  cloudProfileConfigSchema,
  controlPlaneConfigSchema,
  workloadIdentityConfigSchema,
} from '../../terraform-free-infra/aws/account/config/config.ts'
import { configSchema } from '../../terraform-free-infra/aws/infrastructure/rules.ts'
import type { FieldText, ProviderConfig } from '../provider-config.ts'

const refused = 'Refused.'
const onceSet = 'Refused once set.'
const nodes = 'Replaces the nodes of the pool.'
const noNodes = 'Keeps the nodes from Kubernetes 1.34 on.'
const inPlace = 'In place.'
const later = 'Applies to machines created later.'
const newNodes = 'Applies to nodes created later.'
const noEffect = 'None.'

/** The fields of an image in a region. */
const imageFields = (path: string): Readonly<Record<string, FieldText>> => ({
  [`${path}.name`]: ['Name of the region.', later],
  [`${path}.ami`]: ['AMI in the region.', later],
  [`${path}.architecture`]: ['`amd64` or `arm64`.', later, '`amd64`'],
})

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'InfrastructureConfig',
    apiVersion,
    place: '`spec.provider.infrastructureConfig` of a Shoot',
    schema: configSchema,
    fields: {
      enableECRAccess: [
        'Nodes may pull images from ECR.',
        "Changes the policy of the nodes' role.",
        '`true`',
      ],
      enableDedicatedTenancyForVPC: ['Instances of a new VPC run on dedicated hardware.', refused, '`false`'],
      enableMTUCustomizer: ['A unit on the nodes sets the MTU.', newNodes, '`true`'],
      'dualStack.enabled': [
        'VPC and subnets also have IPv6 blocks, even in an IPv4 shoot.',
        '`true` adds them; then `false` is refused.',
        '`false`',
      ],
      'elasticFileSystem.enabled': [
        'A file system (EFS) with a mount target in each zone.',
        onceSet,
        '`false`',
      ],
      'elasticFileSystem.id': ["The user's file system.", onceSet, 'a new one'],
      'ignoreTags.keys': ['Keys of tags that are neither added nor removed.', inPlace],
      'ignoreTags.keyPrefixes': ['The same, by prefix.', inPlace],
      'networks.vpc.id': ["The user's VPC. Either `id` or `cidr`.", refused],
      'networks.vpc.cidr': ['The range of a new VPC.', refused],
      'networks.vpc.gatewayEndpoints': [
        'Services reached without a NAT gateway, such as `s3`.',
        'Adds and removes endpoints.',
      ],
      'networks.vpc.ipv6IpamPool.id': ["Pool of a new VPC's IPv6 block.", onceSet, "Amazon's"],
      'networks.vpc.ipv6IpamPool.cidrBlock': ['The /56 block from this pool.', onceSet, 'a free one'],
      'networks.nodesSecurityGroupID': [
        "The user's security group for nodes. Needs `vpc.id`.",
        refused,
        'a new one',
      ],
      'networks.zones[].name': [
        'An availability zone. At least one.',
        'Refused, as is the removal of a zone. New zones are appended.',
      ],
      'networks.zones[].workers': ['Range of a new subnet for nodes.', onceSet],
      'networks.zones[].internal': ['Range of a new subnet for internal load balancers.', onceSet],
      'networks.zones[].public': [
        'Range of a new subnet for the NAT gateway and public load balancers.',
        onceSet,
      ],
      'networks.zones[].workersSubnetID': ["The user's subnet for nodes. Needs `vpc.id`.", refused],
      'networks.zones[].internalSubnetID': ["The user's subnet for internal load balancers.", onceSet],
      'networks.zones[].publicSubnetID': ["The user's subnet for public load balancers.", onceSet],
      'networks.zones[].elasticIPAllocationID': [
        "The user's address for the NAT gateway of the zone.",
        'Replaces the NAT gateway: open connections to the internet end.',
        'a new address',
      ],
    },
  },
  {
    kind: 'ControlPlaneConfig',
    apiVersion,
    place: '`spec.provider.controlPlaneConfig` of a Shoot',
    schema: controlPlaneConfigSchema,
    fields: {
      'cloudControllerManager.featureGates': [
        'Feature gates of the cloud controller manager, by name.',
        'Restarts the cloud controller manager.',
      ],
      'cloudControllerManager.useCustomRouteController': [
        'A controller writes the VPC routes to pods.',
        'Starts or removes the controller.',
      ],
      'loadBalancerController.enabled': [
        'Installs the AWS load balancer controller.',
        'Installs or removes it.',
      ],
      'loadBalancerController.ingressClassName': [
        'Name of its IngressClass.',
        'Restarts the controller.',
        '`alb`',
      ],
      'storage.managedDefaultClass': [
        'StorageClass and VolumeSnapshotClass `default` are the default ones.',
        'Changes their annotation.',
      ],
    },
  },
  {
    kind: 'WorkerConfig',
    apiVersion,
    place: '`spec.provider.workers[].providerConfig` of a Shoot',
    schema: workerConfigSchema,
    fields: {
      'nodeTemplate.capacity': [
        'Capacity of a node for the cluster autoscaler, by resource.',
        nodes,
        'that of the machine type',
      ],
      'nodeTemplate.virtualCapacity': [
        'Resources that a node offers beside its real ones.',
        'Keeps the nodes.',
      ],
      'volume.iops': ['IOPS of the root volume.', nodes, "AWS's"],
      'volume.throughput': ['Throughput of the root volume, in MiB/s.', nodes, "AWS's"],
      'dataVolumes[].name': ["Name of the pool's data volume.", nodes],
      'dataVolumes[].iops': ['IOPS of the data volume.', nodes, "AWS's"],
      'dataVolumes[].throughput': ['Throughput of the data volume, in MiB/s.', nodes, "AWS's"],
      'dataVolumes[].snapshotID': ['Snapshot from which the volume is created.', nodes],
      'iamInstanceProfile.name': ["The user's instance profile.", nodes, 'that of the Infrastructure'],
      'iamInstanceProfile.arn': ['The same, by ARN. `name` overrides it.', nodes],
      'instanceMetadataOptions.httpTokens': [
        'Requests of version 1 of the metadata service: `required` refuses, `optional` accepts them.',
        nodes,
      ],
      'instanceMetadataOptions.httpPutResponseHopLimit': [
        'Network hops of a response of the metadata service, 1 to 64.',
        nodes,
      ],
      'cpuOptions.coreCount': ['Number of CPU cores. Needs `threadsPerCore`.', nodes, 'all of the type'],
      'cpuOptions.threadsPerCore': [
        'Threads of a core, 1 or 2. Needs `coreCount`.',
        nodes,
        'all of the type',
      ],
      'cpuOptions.amdSevSnp': ['AMD SEV-SNP: `enabled` or `disabled`.', noNodes, 'off'],
      'capacityReservation.capacityReservationPreference': [
        '`capacity-reservations-only`, `open` or `none`.',
        nodes,
      ],
      'capacityReservation.capacityReservationId': [
        'The capacity reservation. Not with a resource group.',
        nodes,
      ],
      'capacityReservation.capacityReservationResourceGroupArn': [
        'The resource group of reservations.',
        nodes,
      ],
      'instanceMarketOptions.marketType': [
        '`spot`, `capacity-block` or `interruptible-capacity-reservation`.',
        nodes,
        'on demand',
      ],
      'networkInterfaces[].type': [
        '`interface`, `efa` or `efa-only`. Without entries, a node has one interface.',
        nodes,
        '`interface`',
      ],
      'networkInterfaces[].deviceIndex': ['Index of the device on its card.', nodes, '`0`'],
      'networkInterfaces[].networkCardIndex': ['Index of the network card.', nodes, '`0`'],
      'networkInterfaces[].networkCardIndexRange.from': ['First card with this interface.', nodes],
      'networkInterfaces[].networkCardIndexRange.to': ['Last card with this interface.', nodes],
      'networkInterfaces[].subnetID': ['The subnet of the interface.', nodes, 'that of the zone'],
      'networkInterfaces[].description': ['Description of the interface in AWS.', noNodes],
      'placement.groupId': ['The placement group.', nodes],
      'placement.tenancy': ['`default`, `dedicated` or `host`.', nodes, '`default`'],
      'placement.hostId': ['The dedicated host. Needs tenancy `host`.', nodes],
      'placement.partitionNumber': ['The partition of the placement group, from 1.', nodes],
      'placement.affinity': [
        '`host`: a stopped instance starts on the same host again. `default`: on any.',
        nodes,
        '`default`',
      ],
    },
  },
  {
    kind: 'CloudProfileConfig',
    apiVersion,
    place: '`spec.providerConfig` of a CloudProfile or NamespacedCloudProfile',
    schema: cloudProfileConfigSchema,
    fields: {
      'machineImages[].name': ['Name of the machine image.', later],
      'machineImages[].versions[].version': ['Its version.', later],
      ...imageFields('machineImages[].versions[].regions[]'),
      'machineImages[].versions[].capabilityFlavors[].capabilities': [
        "The AMI's capabilities.",
        later,
        'all values',
      ],
      ...imageFields('machineImages[].versions[].capabilityFlavors[].regions[]'),
    },
  },
  {
    kind: 'BackupBucketConfig',
    apiVersion,
    place: '`spec.backup.providerConfig` of a Seed, and `spec.providerConfig` of a BackupBucket',
    schema: backupBucketConfigSchema,
    fields: {
      'immutability.retentionType': ['Applies to all objects of the bucket.', noEffect],
      'immutability.retentionPeriod': [
        'How long S3 locks a new object, in whole days, such as `96h`.',
        'For new objects. With `compliance`, a shorter one is refused.',
      ],
      'immutability.mode': [
        '[Rights to delete](backups.md#immutability).',
        'For new objects. `compliance` to `governance` is refused.',
      ],
      'immutability.locked': [
        '`true` is mode `compliance`. Other clouds require this field.',
        noEffect,
        'by `mode`',
      ],
    },
  },
  {
    kind: 'WorkloadIdentityConfig',
    apiVersion,
    place: '`spec.targetSystem.providerConfig` of a WorkloadIdentity',
    schema: workloadIdentityConfigSchema,
    fields: { roleARN: ['The role for the tokens of the identity.', 'For the next token.', 'required'] },
  },
]
