import { driverProbe, type Mount } from '../../../../shared/control-plane/components/components.ts'
import { authorityFile, diskConfigName, manilaDriver, manilaSecret } from '../names.ts'
import { nodeNameVariable, type OpenStackRendering } from '../rendering.ts'

/** The parts that the controller and the nodes share. Two drivers talk over a second socket: Manila's, and NFS's. */

export const pluginMount = { name: 'nfs-plugin-dir', mountPath: '/csi' }
export const forwardVolume = 'nfs-fwd-plugin-dir'
const forwardMount = { name: forwardVolume, mountPath: '/csi-fwd' }
/** The NFS driver finds its socket at the usual path. */
export const nfsMount = { name: forwardVolume, mountPath: '/csi' }

/** The folder of the CA certificates. The Secret with the credentials names it. */
export const authorityFolder = '/var/run/csi-manila'
const authorityName = 'ca.crt'
export const authorityPath = `${authorityFolder}/${authorityName}`

export const manilaEnv = [
  { name: 'DRIVER_NAME', value: manilaDriver },
  nodeNameVariable('NODE_ID'),
  { name: 'MANILA_SHARE_PROTO', value: 'NFS' },
]

export const nfsEnv = [nodeNameVariable('NODE_ID'), { name: 'CSI_ENDPOINT', value: 'unix:///csi/csi.sock' }]

export const nfsArgs = (verbosity: number): readonly string[] => [
  `--v=${verbosity}`,
  '--nodeid=$(NODE_ID)',
  '--endpoint=$(CSI_ENDPOINT)',
  '--drivername=gardener.nfs.csi.k8s.io',
]

export const manilaProbe = {
  ...driverProbe,
  initialDelaySeconds: 30,
  timeoutSeconds: 10,
  periodSeconds: 30,
}

/** The mounts of Manila's driver, with the CA certificates if OpenStack has its own. */
export const manilaMounts = (
  { credentials }: OpenStackRendering,
  authority: { readonly readOnly?: true } = {},
): readonly Mount[] => [
  pluginMount,
  forwardMount,
  ...(credentials.ca === undefined ? [] : [{ name: manilaSecret, mountPath: authorityFolder, ...authority }]),
]

/** The volume of the CA certificates: from the Secret of the drivers in the shoot, or of the configuration in the seed. */
export const authorityVolumes = ({ credentials }: OpenStackRendering, cluster: 'seed' | 'shoot') => {
  const [secretName, key] =
    cluster === 'seed' ? [diskConfigName, authorityFile] : [manilaSecret, authorityName]
  return credentials.ca === undefined
    ? []
    : [{ name: manilaSecret, secret: { secretName, items: [{ key, path: authorityName }] } }]
}
