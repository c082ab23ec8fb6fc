import * as z from 'zod'
import { rawValue } from './scalars.ts'

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
export const containerd = z.object({
  registries: z.array(registry).describe('Registries and their mirrors.').exactOptional(),
  sandboxImage: z.string().describe('Image of the sandbox container.'),
  plugins: z.array(plugin).describe('Sections of plugins.').exactOptional(),
})
