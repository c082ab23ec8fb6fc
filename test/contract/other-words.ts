const aws = 'gardener-extension-provider-aws'
const openstack = 'gardener-extension-provider-openstack'
const local = 'gardener-extension-provider-local'
const systems = 'the extensions of operating systems'
const literal = 'Gardener has it as a text, not as a constant'

/** Words of Gardener's domains that are no constants of its modules, with the program that has them. */
export const otherWords: Readonly<Record<string, string>> = {
  '-deletion-protection.resources.gardener.cloud': literal,
  '.admission-aws.extensions.gardener.cloud': aws,
  '.aws.extensions.gardener.cloud': aws,
  'autoscaling.gardener.cloud/v1alpha1': 'pvc-autoscaler',
  'aws.provider.extensions.gardener.cloud': aws,
  'aws.provider.extensions.gardener.cloud/calico-cleanup-completed': aws,
  'aws.provider.extensions.gardener.cloud/enable-volume-attributes-class': aws,
  'aws.provider.extensions.gardener.cloud/v1alpha1': aws,
  'calico.networking.extensions.gardener.cloud/v1alpha1': 'gardener-extension-networking-calico',
  'controlplane.aws.extensions.gardener.cloud': aws,
  'fluentbit.gardener.cloud/type': 'newer extensions, for their logs',
  'gardener.cloud/managed-tag': aws,
  'gardener.cloud/old-load-balancer-name': aws,
  'gvisor.runtime.extensions.config.gardener.cloud/v1alpha1': 'gardener-extension-runtime-gvisor',
  'local.gardener.cloud': local,
  'memoryone-chost.os.extensions.gardener.cloud': systems,
  'memoryone-gardenlinux.os.extensions.gardener.cloud': systems,
  'ns.local.gardener.cloud': 'the name server of the sandbox',
  'openstack.machine.gardener.cloud/v1alpha1': 'machine-controller-manager-provider-openstack',
  'openstack.provider.extensions.gardener.cloud': openstack,
  'openstack.provider.extensions.gardener.cloud/calico-cleanup-completed': openstack,
  'openstack.provider.extensions.gardener.cloud/v1alpha1': openstack,
  'validation.oidc.service.extensions.gardener.cloud': 'gardener-extension-shoot-oidc-service',
}
