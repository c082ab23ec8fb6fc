import * as z from 'zod'
import { defaultSpec } from './default-spec.ts'
import { defaultStatus } from './default-status.ts'
import { objectHead } from './object-meta.ts'
import { secretReference } from './references.ts'
import { dateTime, immutableField, int32, rawValue } from './scalars.ts'

const registryHost = z.object({
  url: z.string().describe('URL of the mirror.'),
  capabilities: z
    .array(z.enum(['pull', 'resolve', 'push']))
    .describe('Capabilities of the mirror. Default: pull and resolve.')
    .exactOptional(),
  caCerts: z.array(z.string()).describe('Paths of certificate authorities to trust.').exactOptional(),
  overridePath: z
    .boolean()
    .describe("If true, the URL's path replaces the path of the registry API.")
    .exactOptional(),
})

const registry = z.object({
  upstream: z.string().describe('The mirrored registry; _default for all. Unique.'),
  server: z.string().describe("URL of the registry's server.").exactOptional(),
  hosts: z.array(registryHost).describe('The mirrors, in order.').exactOptional(),
  readinessProbe: z
    .boolean()
    .describe('If true, mirrors are used only after they have answered.')
    .exactOptional(),
})

const plugin = z.object({
  op: z.enum(['add', 'remove']).describe('add (default) or remove.').exactOptional(),
  path: z.array(z.string()).describe("Path of the plugin's section."),
  values: rawValue.describe('The section.').exactOptional(),
})

/** Configuration of containerd on a machine (docs/contract/kinds.md#containerd). */
const containerd = z.object({
  registries: z.array(registry).describe('Registries and their mirrors.').exactOptional(),
  sandboxImage: z.string().describe('Image of the sandbox container.'),
  plugins: z.array(plugin).describe('Sections of plugins.').exactOptional(),
})

const dropIn = z.object({
  name: z.string().describe('File name of the drop-in.'),
  content: z.string().describe('Content of the drop-in.'),
})

const unit = z.object({
  name: z.string().describe('Name of the systemd unit.'),
  command: z
    .enum(['start', 'restart', 'stop'])
    .describe('Command for the unit: start, restart or stop.')
    .exactOptional(),
  enable: z.boolean().describe('If true, the unit starts with the machine.').exactOptional(),
  content: z.string().describe('Content of the unit file.').exactOptional(),
  dropIns: z.array(dropIn).describe('Drop-ins of the unit.').exactOptional(),
  filePaths: z.array(z.string()).describe('Files whose change restarts the unit.').exactOptional(),
})
export type Unit = z.infer<typeof unit>

const fileContent = z.object({
  inline: z
    .object({
      encoding: z.enum(['', 'b64']).describe('Encoding of the data: empty (plain) or b64.'),
      data: z.string().describe('The content.'),
    })
    .describe('The content.')
    .exactOptional(),
  secretRef: z
    .object({
      name: z.string().describe("Name of a Secret in this object's namespace."),
      dataKey: z.string().describe('Key in the Secret with the content.'),
    })
    .describe('A Secret with the content.')
    .exactOptional(),
  imageRef: z
    .object({
      image: z.string().describe('Container image.'),
      filePathInImage: z.string().describe('Path of the file in the image.'),
    })
    .describe('A container image with the content.')
    .exactOptional(),
  transmitUnencoded: z
    .boolean()
    .describe(
      'If true, the user data contains the content as clear text, so that placeholders in it are replaced.',
    )
    .exactOptional(),
})

const file = z.object({
  path: z.string().describe('Path on the machine.'),
  permissions: int32.describe('File mode as a decimal number.').exactOptional(),
  content: fileContent.describe('Exactly one of inline, secretRef and imageRef.'),
  hostName: z.string().describe('Applies only to the machine with this name.').exactOptional(),
})
export type File = z.infer<typeof file>

const rotation = z.object({
  lastInitiationTime: dateTime.describe('Time at which the last rotation was started.').exactOptional(),
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
  containerd: containerd.describe('Configuration of containerd; only for purpose reconcile.').exactOptional(),
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
      .describe('The desired state. Immutable while the object is being deleted.'),
    status: z
      .object({
        ...defaultStatus,
        cloudConfig: z
          .object({
            secretRef: secretReference.describe('The Secret with the user data in its key cloud_config.'),
          })
          .describe('Reference to the user data, for purpose provision.')
          .exactOptional(),
        extensionUnits: z.array(unit).describe('Units that the backend adds.').exactOptional(),
        extensionFiles: z.array(file).describe('Files that the backend adds.').exactOptional(),
        inPlaceUpdates: z
          .object({ osUpdate: osUpdate.describe('Update of the operating system.').exactOptional() })
          .describe('Update of machines in place.')
          .exactOptional(),
      })
      .describe('The observed state.')
      .exactOptional(),
  })
  .describe('The units and files of the machines of a worker pool.')
/** An OperatingSystemConfig, parsed with its schema. */
export type OperatingSystemConfig = z.infer<typeof operatingSystemConfigSchema>
