import { allow } from '../../../../shared/manifests/manifests.ts'

/** The permissions of calico-node and of the CNI plugin in the shoot. */

const calico = 'crd.projectcalico.org'
const read = ['get', 'list', 'watch']
const writeVerbs = ['get', 'list', 'create', 'update', 'delete']

export const pluginRules = [
  allow('', ['pods', 'nodes', 'namespaces'], ['get']),
  allow('', 'pods/status', ['patch']),
  allow(
    calico,
    [
      'blockaffinities',
      'ipamblocks',
      'ipamhandles',
      'clusterinformations',
      'ippools',
      'ipreservations',
      'ipamconfigs',
    ],
    writeVerbs,
  ),
]

export const nodeRules = [
  allow('', 'serviceaccounts/token', ['create'], 'calico-cni-plugin'),
  allow('', ['pods', 'nodes', 'namespaces'], ['get']),
  allow('discovery.k8s.io', 'endpointslices', ['watch', 'list']),
  allow('', ['endpoints', 'services'], ['watch', 'list', 'get']),
  allow('', 'configmaps', ['get']),
  allow('', 'nodes/status', ['patch', 'update']),
  allow('networking.k8s.io', 'networkpolicies', ['watch', 'list']),
  allow(
    'policy.networking.k8s.io',
    ['adminnetworkpolicies', 'baselineadminnetworkpolicies'],
    ['watch', 'list'],
  ),
  allow('', ['pods', 'namespaces', 'serviceaccounts'], ['list', 'watch']),
  allow('', 'pods/status', ['patch']),
  allow(
    calico,
    [
      'globalfelixconfigs',
      'felixconfigurations',
      'bgppeers',
      'bgpfilters',
      'globalbgpconfigs',
      'bgpconfigurations',
      'ippools',
      'ipreservations',
      'ipamblocks',
      'globalnetworkpolicies',
      'stagedglobalnetworkpolicies',
      'globalnetworksets',
      'networkpolicies',
      'stagednetworkpolicies',
      'stagedkubernetesnetworkpolicies',
      'networksets',
      'clusterinformations',
      'hostendpoints',
      'blockaffinities',
      'caliconodestatuses',
      'tiers',
    ],
    read,
  ),
  allow(calico, 'tiers', ['create']),
  allow(calico, ['ippools', 'felixconfigurations', 'clusterinformations'], ['create', 'update']),
  allow(calico, 'caliconodestatuses', ['update']),
  allow('', 'nodes', read),
  allow(calico, ['bgpconfigurations', 'bgppeers'], ['create', 'update']),
  allow(calico, ['blockaffinities', 'ipamblocks', 'ipamhandles'], writeVerbs),
  allow(calico, 'ipamconfigs', ['get', 'create']),
  allow(calico, 'blockaffinities', ['watch']),
  allow('apps', 'daemonsets', ['get']),
]
