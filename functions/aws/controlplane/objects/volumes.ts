import type { V1EnvVar } from '@kubernetes/client-node'
import type { Mount, PodVolume } from '../../../../shared/control-plane/components/components.ts'
import type { Json } from '../../../../shared/kubernetes/kubernetes.ts'
import { cloudproviderName } from './workload.ts'

/** 0644: read-only for all but the owner. */
export const fileMode = 0o644

const secretFiles = (name: string, keys: readonly string[]) => ({
  secret: { name, items: keys.map(key => ({ key, path: key })), optional: false },
})

/** Keys of the Secret `cloudprovider` as files. */
const cloudproviderVolume = (keys: readonly string[]): PodVolume => ({
  name: cloudproviderName,
  projected: { defaultMode: fileMode, sources: [secretFiles(cloudproviderName, keys)] },
})

const cloudproviderMount = (mountPath: string): Mount => ({
  name: cloudproviderName,
  mountPath,
  readOnly: true,
})

/** The AWS credentials of components in the seed (docs/contract/control-plane.md#credentials-of-the-components). */

const keyFolder = '/srv/cloudprovider'
const tokenFolder = '/var/run/secrets/gardener.cloud/workload-identity'

const ofSecret = (name: string, key: string): Json<V1EnvVar> => ({
  name,
  valueFrom: { secretKeyRef: { name: cloudproviderName, key } },
})

const credentialsFile = 'credentialsFile'
const token = 'token'
const fileVariable = (folder: string): Json<V1EnvVar> => ({
  name: 'AWS_SHARED_CREDENTIALS_FILE',
  value: `${folder}/${credentialsFile}`,
})

interface ComponentCredentials {
  readonly env: readonly Json<V1EnvVar>[]
  readonly volume: ReturnType<typeof cloudproviderVolume>
  readonly mount: ReturnType<typeof cloudproviderMount>
}

/** For components that exchange a token themselves. */
export const credentialsByEnvironment = (hasWorkloadIdentity: boolean): ComponentCredentials =>
  hasWorkloadIdentity
    ? {
        env: [
          ofSecret('AWS_WEB_IDENTITY_TOKEN_FILE', 'workloadIdentityTokenFile'),
          ofSecret('AWS_ROLE_ARN', 'roleARN'),
        ],
        volume: cloudproviderVolume([token]),
        mount: cloudproviderMount(tokenFolder),
      }
    : {
        env: [fileVariable(keyFolder)],
        volume: cloudproviderVolume([credentialsFile]),
        mount: cloudproviderMount(keyFolder),
      }

/** For the CSI driver. Its credentials file contains the path of the token. */
export const credentialsByFile = (hasWorkloadIdentity: boolean): ComponentCredentials => {
  const folder = hasWorkloadIdentity ? tokenFolder : keyFolder
  return {
    env: [fileVariable(folder)],
    volume: cloudproviderVolume(hasWorkloadIdentity ? [token, credentialsFile] : [credentialsFile]),
    mount: cloudproviderMount(folder),
  }
}

/** For components that read the Secret from the API server and only need a token as well. */
export const credentialsBySecret = (
  hasWorkloadIdentity: boolean,
): Pick<ComponentCredentials, 'volume' | 'mount'> | undefined =>
  hasWorkloadIdentity
    ? { volume: cloudproviderVolume([token]), mount: cloudproviderMount(tokenFolder) }
    : undefined
