import { workerConfigSchema } from '../../functions/openstack/worker/machines/machines.ts'
import {
  apiVersion,
  cloudProfileConfigSchema,
  controlPlaneConfigSchema,
} from '../../terraform-free-infra/openstack/account/config/config.ts'
import { configSchema } from '../../terraform-free-infra/openstack/infrastructure/rules.ts'
import type { FieldText, ProviderConfig } from '../provider-config.ts'

const refused = 'Refused.'
const nodes = 'Replaces the nodes of the pool.'
const inPlace = 'In place.'
const later = 'Applies to machines created later.'
const newShoots = 'Applies to new choices of shoots.'
const nextReconcile = 'At the next reconcile of each shoot.'
const noEffect = 'None.'

/** The fields of a class of load balancers. */
const classFields = (path: string, change: string): Readonly<Record<string, FieldText>> => ({
  [`${path}[].name`]: ['Name of the class.', change],
  [`${path}[].purpose`]: ['`default` or `private`; `vpn` only in a CloudProfile.', change],
  [`${path}[].floatingNetworkID`]: ['The external network of public addresses.', change, 'the floating pool'],
  [`${path}[].floatingSubnetID`]: ['Its subnet. One way to select it.', change],
  [`${path}[].floatingSubnetName`]: ['Its subnet, by name or pattern.', change],
  [`${path}[].floatingSubnetTags`]: ['Its subnet, by tags.', change],
  [`${path}[].subnetID`]: ['The subnet of the load balancer itself.', change, 'that of the nodes'],
})

/** The fields of an image in a region. */
const imageFields = (path: string): Readonly<Record<string, FieldText>> => ({
  [`${path}.regions[].name`]: ['Name of the region.', later],
  [`${path}.regions[].id`]: ['Id of the image there.', later],
  [`${path}.regions[].architecture`]: ['`amd64` or `arm64`.', later, '`amd64`'],
  [`${path}.image`]: ['Name of the image in regions without an id.', later],
})

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'InfrastructureConfig (OpenStack)',
    apiVersion,
    place: '`spec.provider.infrastructureConfig` of a Shoot',
    schema: configSchema,
    fields: {
      floatingPoolName: ['The external network of the router and of public addresses.', refused],
      floatingPoolSubnetName: [
        'Its subnets for the router: a name, a pattern with `*`, `~` and an expression, or `!` and one of these.',
        refused,
      ],
      'networks.id': ["The user's network.", refused, 'a new one'],
      'networks.router.id': ["The user's router.", refused, 'a new one'],
      'networks.workers': ['Range of the subnet for nodes. Either this or `subnetPool`.', refused],
      'networks.worker': ['Former name of `workers`.', refused],
      'networks.subnetPool.id': ['The pool of which the range comes.', refused],
      'networks.subnetPool.prefixLength': ['Length of the prefix.', refused, "the pool's"],
      'networks.shareNetwork.enabled': ['A share network, for Manila.', 'Can be enabled.', '`false`'],
      'networks.ipv6.subnetPoolID': ['The pool of IPv6 ranges. Either this or the three ranges.', refused],
      'networks.ipv6.nodeCIDR': ['IPv6 range of nodes.', refused],
      'networks.ipv6.podCIDR': ['IPv6 range of pods.', refused],
      'networks.ipv6.serviceCIDR': ['IPv6 range of services.', refused],
    },
  },
  {
    kind: 'ControlPlaneConfig (OpenStack)',
    apiVersion,
    place: '`spec.provider.controlPlaneConfig` of a Shoot',
    schema: controlPlaneConfigSchema,
    fields: {
      loadBalancerProvider: ['The provider of Octavia, such as `amphora`.', inPlace, 'required'],
      ...classFields('loadBalancerClasses', inPlace),
      zone: ['No effect.', noEffect],
      'cloudControllerManager.featureGates': ['Feature gates of the cloud controller manager.', inPlace],
      'storage.csiManila.enabled': [
        'The driver of Manila. Needs `shareNetwork.enabled`.',
        inPlace,
        '`false`',
      ],
    },
  },
  {
    kind: 'WorkerConfig (OpenStack)',
    apiVersion,
    place: '`spec.provider.workers[].providerConfig` of a Shoot',
    schema: workerConfigSchema,
    fields: {
      'nodeTemplate.capacity': [
        'Capacity of a node for the cluster autoscaler, by resource.',
        later,
        'that of the machine type',
      ],
      'nodeTemplate.virtualCapacity': [
        'Resources that a node offers beside its real ones.',
        'Keeps the nodes.',
      ],
      'serverGroup.policy': ['Policy of a server group for the nodes of the pool.', nodes, 'no group'],
      'machineLabels[].name': ['Key of a metadata entry of each server.', later],
      'machineLabels[].value': ['Its value.', later],
      'machineLabels[].triggerRollingOnUpdate': [
        'Replaces the nodes for a change of this label.',
        nodes,
        '`false`',
      ],
      additionalSecurityGroups: ['Names of more security groups of the nodes.', nodes],
    },
  },
  {
    kind: 'CloudProfileConfig (OpenStack)',
    apiVersion,
    place: '`spec.providerConfig` of a CloudProfile; of a NamespacedCloudProfile only `machineImages`',
    schema: cloudProfileConfigSchema,
    fields: {
      'constraints.floatingPools[].name': ['A permitted pool, or a pattern with `*`.', newShoots],
      'constraints.floatingPools[].region': ['Only in this region.', newShoots],
      'constraints.floatingPools[].domain': ['Only for credentials of this domain.', newShoots],
      'constraints.floatingPools[].defaultFloatingSubnet': [
        'Subnet of new routers.',
        'Applies to new routers.',
      ],
      'constraints.floatingPools[].nonConstraining': ['Does not exclude the following ones.', newShoots],
      ...classFields('constraints.floatingPools[].loadBalancerClasses', newShoots),
      'constraints.loadBalancerProviders[].name': ['A permitted provider.', newShoots],
      'constraints.loadBalancerProviders[].region': ['Only in this region.', newShoots],
      dnsServers: ['DNS servers of the subnets.', nextReconcile],
      dhcpDomain: ['No effect.', noEffect],
      keystoneURL: ['Keystone, for regions without an own one.', nextReconcile],
      'keystoneURLs[].region': ['The region.', nextReconcile],
      'keystoneURLs[].url': ['Its Keystone.', nextReconcile],
      'keystoneURLs[].caCert': ['CA of this Keystone (PEM).', nextReconcile],
      keystoneCACert: ['CA of Keystone (PEM).', nextReconcile],
      keystoneForceInsecure: ['Certificates are not verified.', nextReconcile, '`false`'],
      'machineImages[].name': ['Name of the machine image.', later],
      'machineImages[].versions[].version': ['Its version.', later],
      ...imageFields('machineImages[].versions[]'),
      'machineImages[].versions[].capabilityFlavors[].capabilities': [
        "The image's capabilities.",
        later,
        'all values',
      ],
      ...imageFields('machineImages[].versions[].capabilityFlavors[]'),
      requestTimeout: ['Time limit for requests of cloud controller manager and drivers.', nextReconcile],
      rescanBlockStorageOnResize: ['Nodes rescan a resized volume.', nextReconcile, '`false`'],
      ignoreVolumeAZ: ['Volumes need not be in the zone of their node.', nextReconcile, '`false`'],
      nodeVolumeAttachLimit: ['Most volumes of a node.', nextReconcile, "the driver's"],
      useOctavia: ['No effect.', noEffect],
      useSNAT: ['`enable_snat` of new routers.', nextReconcile, "Neutron's"],
      serverGroupPolicies: ['Permitted policies of `serverGroup`.', newShoots],
      resolvConfOptions: ['Options for `resolv.conf` of the nodes.', nextReconcile],
      'storageClasses[].name': ['Name of the StorageClass.', nextReconcile],
      'storageClasses[].default': ['It is the default class.', nextReconcile, '`false`'],
      'storageClasses[].provisioner': ['Its provisioner.', nextReconcile, 'Cinder'],
      'storageClasses[].parameters': ['Its parameters.', nextReconcile],
      'storageClasses[].annotations': ['Its annotations.', nextReconcile],
      'storageClasses[].labels': ['Its labels.', nextReconcile],
      'storageClasses[].reclaimPolicy': ['Its reclaim policy.', nextReconcile, '`Delete`'],
      'storageClasses[].volumeBindingMode': ['Its binding mode.', nextReconcile, '`Immediate`'],
    },
  },
]
