import type { NodeChanges } from '../../../../shared/webhooks/components/webhooks.ts'
import { executable } from './mtu.ts'

/*
 * A kubelet pulls images from ECR with the node's own identity, through a credential provider program
 * (docs/contract/webhooks.md#operatingsystemconfig).
 */

const name = 'ecr-credential-provider'
const folder = '/opt/bin/'
const configFile = '/opt/gardener/ecr-credential-provider-config.json'

export const credentialProviderFlags: readonly (readonly [name: string, value: string])[] = [
  ['--image-credential-provider-config', configFile],
  ['--image-credential-provider-bin-dir', folder],
]

export const credentialProviderBinary = (image: string): NonNullable<NodeChanges['files']>[number] => ({
  path: `${folder}${name}`,
  permissions: executable,
  content: { imageRef: { image, filePathInImage: `/bin/${name}` } },
})

/** Identical to the bytes of the Go extension: any difference would restart the kubelet of every node. */
export const credentialProviderConfig: NonNullable<NodeChanges['files']>[number] = {
  path: configFile,
  permissions: executable,
  content: {
    inline: {
      encoding: '',
      data: JSON.stringify({
        kind: 'CredentialProviderConfig',
        apiVersion: 'kubelet.config.k8s.io/v1',
        providers: [
          {
            name,
            matchImages: [
              '*.dkr.ecr.*.amazonaws.com',
              '*.dkr.ecr.*.amazonaws.com.cn',
              '*.dkr.ecr-fips.*.amazonaws.com',
              '*.dkr-ecr.*.on.aws',
            ],
            defaultCacheDuration: '1h0m0s',
            apiVersion: 'credentialprovider.kubelet.k8s.io/v1',
          },
        ],
      }),
    },
  },
}
