import * as z from 'zod'
import { extensionObject } from './extension-object.ts'
import { secretReference } from './references.ts'
import { dateTime, immutableField, int32, optional, rawValue } from './scalars.ts'

const registryHost = z.object({
  url: z.string().describe('URL of the mirror.'),
  capabilities: optional(
    z.array(z.enum(['pull', 'resolve', 'push'])),
    'Capabilities of the mirror. Default: pull and resolve.',
  ),
  caCerts: optional(z.array(z.string()), 'Paths of certificate authorities to trust.'),
  overridePath: optional(z.boolean(), "If true, the URL's path replaces the path of the registry API."),
})

const registry = z.object({
  upstream: z.string().describe('The mirrored registry; _default for all. Unique.'),
  server: optional(z.string(), "URL of the registry's server."),
  hosts: optional(z.array(registryHost), 'The mirrors, in order.'),
  readinessProbe: optional(z.boolean(), 'If true, mirrors are used only after they have answered.'),
})

const plugin = z.object({
  op: optional(z.enum(['add', 'remove']), 'add (default) or remove.'),
  path: z.array(z.string()).describe("Path of the plugin's section."),
  values: optional(rawValue, 'The section.'),
})

/** Configuration of containerd on a machine (docs/contract/kinds.md#containerd). */
const containerd = z.object({
  registries: optional(z.array(registry), 'Registries and their mirrors.'),
  sandboxImage: z.string().describe('Image of the sandbox container.'),
  plugins: optional(z.array(plugin), 'Sections of plugins.'),
})

const dropIn = z.object({
  name: z.string().describe('File name of the drop-in.'),
  content: z.string().describe('Content of the drop-in.'),
})

const unit = z.object({
  name: z.string().describe('Name of the systemd unit.'),
  command: optional(z.enum(['start', 'restart', 'stop']), 'Command for the unit: start, restart or stop.'),
  enable: optional(z.boolean(), 'If true, the unit starts with the machine.'),
  content: optional(z.string(), 'Content of the unit file.'),
  dropIns: optional(z.array(dropIn), 'Drop-ins of the unit.'),
  filePaths: optional(z.array(z.string()), 'Files whose change restarts the unit.'),
})
export type Unit = z.infer<typeof unit>

const fileContent = z.object({
  inline: optional(
    z.object({
      encoding: z.enum(['', 'b64']).describe('Encoding of the data: empty (plain) or b64.'),
      data: z.string().describe('The content.'),
    }),
    'The content.',
  ),
  secretRef: optional(
    z.object({
      name: z.string().describe("Name of a Secret in this object's namespace."),
      dataKey: z.string().describe('Key in the Secret with the content.'),
    }),
    'A Secret with the content.',
  ),
  imageRef: optional(
    z.object({
      image: z.string().describe('Container image.'),
      filePathInImage: z.string().describe('Path of the file in the image.'),
    }),
    'A container image with the content.',
  ),
  transmitUnencoded: optional(
    z.boolean(),
    'If true, the user data contains the content as clear text, so that placeholders in it are replaced.',
  ),
})

const file = z.object({
  path: z.string().describe('Path on the machine.'),
  permissions: optional(int32, 'File mode as a decimal number.'),
  content: fileContent.describe('Exactly one of inline, secretRef and imageRef.'),
  hostName: optional(z.string(), 'Applies only to the machine with this name.'),
})
export type File = z.infer<typeof file>

const rotation = z.object({
  lastInitiationTime: optional(dateTime, 'Time at which the last rotation was started.'),
})

const inPlaceUpdates = z.object({
  operatingSystemVersion: z.string().describe('Version of the operating system.'),
  kubelet: z.string().describe('Version of the kubelet.'),
  credentialsRotation: optional(
    z.object({
      certificateAuthorities: optional(rotation, 'Rotation of the certificate authorities.'),
      serviceAccountKey: optional(rotation, 'Rotation of the service account key.'),
    }),
    'Rotations that the machine must follow.',
  ),
})

const criConfig = z.object({
  name: immutableField(z.literal('containerd')).describe('The container runtime. Immutable.'),
  cgroupDriver: optional(z.enum(['cgroupfs', 'systemd']), 'cgroupfs or systemd.'),
  containerd: optional(containerd, 'Configuration of containerd; only for purpose reconcile.'),
})

const osUpdate = z.object({
  command: z.string().describe('The command that updates the operating system.'),
  args: optional(z.array(z.string()), 'Its arguments.'),
})

/**
 * The configuration of a machine for its first boot or for the node agent
 * (docs/contract/kinds.md#operatingsystemconfig).
 */
export const operatingSystemConfigSchema = extensionObject(
  'OperatingSystemConfig',
  'The units and files of the machines of a worker pool.',
  {
    purpose: z
      .enum(['provision', 'reconcile'])
      .describe('provision (user data of a new machine) or reconcile (for the node agent). Immutable.'),
    criConfig: optional(criConfig, 'Configuration of the container runtime.'),
    units: optional(z.array(unit), 'Systemd units.'),
    files: optional(z.array(file), 'Files.'),
    inPlaceUpdates: optional(inPlaceUpdates, 'Versions for machines that are updated in place.'),
  },
  {
    cloudConfig: optional(
      z.object({
        secretRef: secretReference.describe('The Secret with the user data in its key cloud_config.'),
      }),
      'Reference to the user data, for purpose provision.',
    ),
    extensionUnits: optional(z.array(unit), 'Units that the backend adds.'),
    extensionFiles: optional(z.array(file), 'Files that the backend adds.'),
    inPlaceUpdates: optional(
      z.object({ osUpdate: optional(osUpdate, 'Update of the operating system.') }),
      'Update of machines in place.',
    ),
  },
)
/** An OperatingSystemConfig, parsed with its schema. */
export type OperatingSystemConfig = z.infer<typeof operatingSystemConfigSchema>
