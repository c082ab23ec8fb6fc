import type * as z from 'zod'
import { describeSettings } from '../../../runtime/runtime.ts'

/** Returns the output of `--help`: every setting with its flag, environment name and default. */
export const webhookHelp = (schema: z.ZodObject): string => {
  const rows = describeSettings(schema)
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 2
  const settings = rows.map(({ flag, description, env, default: value }) => {
    const byDefault = value === undefined ? '' : `, default: ${value || 'none'}`
    return `  ${flag.padEnd(width)}${description} [${env}${byDefault}]`
  })
  return `Answer reviews of API servers before they store objects.

Settings, as flags or in the environment; a flag overrides the environment:
${settings.join('\n')}

Example:
  node functions/webhooks-main.ts --kubeconfig ~/.kube/config --url https://192.168.1.2:9443
`
}
