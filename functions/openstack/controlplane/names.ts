/** The Secret with the configuration of the cloud controller manager in the seed, and of the CSI driver in the shoot. */
export const cloudConfigName = 'cloud-provider-config'

/** The Secret with the configuration of the CSI driver's controller in the seed. */
export const diskConfigName = 'cloud-provider-disk-config-csi'

export const configFile = 'cloudprovider.conf'

/** The CA certificates of OpenStack, beside the configuration. */
export const authorityFile = 'keystone-ca.crt'

/** The folder of the configuration in the containers. */
export const configFolder = '/etc/kubernetes/cloudprovider'

export const cinderDriver = 'cinder.csi.openstack.org'
export const manilaDriver = 'nfs.manila.csi.openstack.org'

/** The Secret in the shoot with the credentials of the Manila driver. */
export const manilaSecret = 'manila-csi-plugin'

/** Returns the name of a role of the Go extension in the shoot. */
export const roleName = (component: string): string =>
  `extensions.gardener.cloud:provider-openstack:${component}`
