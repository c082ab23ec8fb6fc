import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { RecordedReview } from '../../../../shared/webhooks/admission/testing/recording.ts'

/**
 * An intended difference from the recorded response, with its reason
 * (docs/contract/webhooks.md#defects-of-the-go-extension).
 */
export interface Difference {
  readonly why: string
  /** Returns the expected result, derived from the recorded one. */
  readonly result?: (recorded: KubernetesObject, review: RecordedReview) => KubernetesObject
  /** The expected message of a refusal. */
  readonly message?: RegExp
}

interface NodeConfig extends KubernetesObject {
  readonly spec: {
    readonly units: readonly { readonly name: string; readonly content: string }[]
    readonly files: readonly {
      readonly path: string
      readonly content: { readonly inline?: { readonly data: string }; readonly imageRef?: object }
    }[]
  }
}
type NodeFile = NodeConfig['spec']['files'][number]

const changedFile = (object: KubernetesObject, path: string, change: (file: NodeFile) => NodeFile) => {
  const { spec } = object as NodeConfig
  return {
    ...object,
    spec: { ...spec, files: spec.files.map(file => (file.path === path ? change(file) : file)) },
  }
}

const kubeletFile = '/var/lib/kubelet/config/kubelet'

/** Differences by file and case. */
export const differences: Readonly<Record<string, Difference>> = {
  'controlplane.operatingsystemconfig: pool on another kubelet version: ECR binary follows the control plane':
    {
      why: 'W1: it follows the version of the pool',
      result: recorded =>
        changedFile(recorded, '/opt/bin/ecr-credential-provider', file => {
          const text = JSON.stringify(file)
          if (!text.includes(':v1.34.1')) throw new Error('the recorded program has another version')
          return JSON.parse(text.replace(':v1.34.1', ':v1.33.0')) as NodeFile
        }),
    },
  'controlplane.operatingsystemconfig: kubelet config without the zero values: they are added': {
    why: 'W2: all but the one field keeps its bytes',
    result: (recorded, { object }) => {
      const [sent] = (object as NodeConfig).spec.files.filter(({ path }) => path === kubeletFile)
      const text = Buffer.from(sent?.content.inline?.data ?? '', 'base64').toString()
      const changed = text.replace(/^(?=evictionHard:)/m, 'enableControllerAttachDetach: true\n')
      return changedFile(recorded, kubeletFile, file => ({
        ...file,
        content: { inline: { ...file.content.inline, data: Buffer.from(changed).toString('base64') } },
      }))
    },
  },
  'controlplane.operatingsystemconfig: units and files already there': {
    why: 'W4: the unit is what it shall be, like the script that it runs',
    result: recorded => {
      const { spec } = recorded as NodeConfig
      return {
        ...recorded,
        spec: {
          ...spec,
          // Go writes a field that the sent object did not have.
          files: spec.files.map(file =>
            file.content.inline
              ? { ...file, content: { inline: { encoding: '', ...file.content.inline } } }
              : file,
          ),
          units: spec.units.map(unit =>
            unit.name === 'custom-mtu.service'
              ? {
                  name: unit.name,
                  enable: true,
                  command: 'start',
                  content:
                    '[Unit]\nDescription=Apply a custom MTU to network interfaces\nAfter=network.target\nWants=network.target\n\n[Install]\nWantedBy=kubelet.service\n\n[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/opt/bin/mtu-customizer.sh\n',
                }
              : unit,
          ),
        },
      }
    },
  },
  'seedprovider: etcd-events old with other values: reset': {
    why: 'W3: what the volume has stays',
    result: (_, { object }) => object,
  },
  'handler: object that cannot be decoded': {
    why: 'W7: the field is named, and nothing of the object is shown',
    message: /^could not decode the object: spec\.replicas: expected an integer, found a string/,
  },
}

/** Cases for requests that are no longer made, with the reason. */
export const notReplayed: Readonly<Record<string, string>> = {
  'shoot-service: caller not a known kube-apiserver': 'W6: the path says which shoot asks, and proves it',
  'shoot-service: no shoot kubeconfig': 'W6: before the function is asked',
}
