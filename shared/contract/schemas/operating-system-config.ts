import * as z from 'zod'
import { containerd } from './containerd.ts'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { dateTime, immutableField, int32 } from './scalars.ts'

const dropIn = z.object({
  name: z.string().describe('File name of the drop-in.'),
  content: z.string().describe('Content of the drop-in.'),
})

const unit = z.object({
  name: z.string().describe('Name of the systemd unit.'),
  command: z
    .enum(['start', 'restart', 'stop'])
    .describe('What to do with the unit: start, restart or stop.')
    .exactOptional(),
  enable: z.boolean().describe('Whether the unit starts with the machine.').exactOptional(),
  content: z.string().describe('Content of the unit file.').exactOptional(),
  dropIns: z.array(dropIn).describe('Drop-ins of the unit.').exactOptional(),
  filePaths: z.array(z.string()).describe('Files whose change restarts the unit.').exactOptional(),
})
export type Unit = z.infer<typeof unit>

const fileContent = z.object({
  inline: z
    .object({
      encoding: z.enum(['', 'b64']).describe('How data is encoded: empty (plain) or b64.'),
      data: z.string().describe('The content.'),
    })
    .describe('The content itself.')
    .exactOptional(),
  secretRef: z
    .object({
      name: z.string().describe("Name of a Secret in this object's namespace."),
      dataKey: z.string().describe('Key of the Secret that holds the content.'),
    })
    .describe('A Secret that holds the content.')
    .exactOptional(),
  imageRef: z
    .object({
      image: z.string().describe('Container image.'),
      filePathInImage: z.string().describe('Path of the file in the image.'),
    })
    .describe('A container image that holds the content.')
    .exactOptional(),
  transmitUnencoded: z
    .boolean()
    .describe('Whether the content stands in the user data as clear text, for placeholders in it.')
    .exactOptional(),
})

const file = z.object({
  path: z.string().describe('Path on the machine.'),
  permissions: int32.describe('File mode as a decimal number.').exactOptional(),
  content: fileContent.describe('Exactly one of inline, secretRef and imageRef.'),
  hostName: z.string().describe('Only on the machine of this name.').exactOptional(),
})
export type File = z.infer<typeof file>

const rotation = z.object({
  lastInitiationTime: dateTime.describe('When the last rotation was begun.').exactOptional(),
})

const inPlaceUpdates = z.object({
  operatingSystemVersion: z.string().describe('Version of the operating system.'),
  kubelet: z.string().describe('Version of the kubelet.'),
  credentialsRotation: z
    .object({
      certificateAuthorities: rotation.describe('Rotation of the certificate authorities.').exactOptional(),
      serviceAccountKey: rotation.describe('Rotation of the service account key.').exactOptional(),
    })
    .describe('Rotations that the machine must follow.')
    .exactOptional(),
})

const criConfig = z.object({
  name: immutableField(z.literal('containerd')).describe('The container runtime. Immutable.'),
  cgroupDriver: z.enum(['cgroupfs', 'systemd']).describe('cgroupfs or systemd.').exactOptional(),
  containerd: containerd.describe('Configuration of containerd; for purpose reconcile only.').exactOptional(),
})

const osUpdate = z.object({
  command: z.string().describe('The command that updates the operating system.'),
  args: z.array(z.string()).describe('Its arguments.').exactOptional(),
})

/**
 * The configuration of a machine for its first boot or for the node agent
 * (docs/contract/kinds.md#operatingsystemconfig).
 */
export const operatingSystemConfigSchema = z
  .object({
    ...objectHead('OperatingSystemConfig'),
    spec: z
      .object({
        ...defaultSpec,
        purpose: z
          .enum(['provision', 'reconcile'])
          .describe('provision (user data of a new machine) or reconcile (for the node agent). Immutable.'),
        criConfig: criConfig.describe('Configuration of the container runtime.').exactOptional(),
        units: z.array(unit).describe('Systemd units.').exactOptional(),
        files: z.array(file).describe('Files.').exactOptional(),
        inPlaceUpdates: inPlaceUpdates
          .describe('Versions for machines that are updated in place.')
          .exactOptional(),
      })
      .describe('What is wanted. Immutable once the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        cloudConfig: z
          .object({
            secretRef: secretReference.describe('The Secret; its key cloud_config holds the user data.'),
          })
          .describe('Where the user data is, for purpose provision.')
          .exactOptional(),
        extensionUnits: z.array(unit).describe('Units that the backend adds.').exactOptional(),
        extensionFiles: z.array(file).describe('Files that the backend adds.').exactOptional(),
        inPlaceUpdates: z
          .object({ osUpdate: osUpdate.describe('How the operating system is updated.').exactOptional() })
          .describe('How machines are updated in place.')
          .exactOptional(),
      })
      .describe('What is there.')
      .exactOptional(),
  })
  .describe('The units and files of the machines of a worker pool.')
export type OperatingSystemConfig = z.infer<typeof operatingSystemConfigSchema>
