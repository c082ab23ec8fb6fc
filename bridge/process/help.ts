import { describeSettings } from '../../shared/runtime/runtime.ts'
import { bridgeSettings } from './settings.ts'

/** The usage, beside the settings. */
export const bridgeExample = `Example:
  trellis bridge --kubeconfig ~/.kube/config --sink http://127.0.0.1:8080/ --seed my-seed --kinds DNSRecord
`

/** Describes one setting: its meaning, its environment name, its default. */
const settingHelp = ({
  description,
  env,
  default: value,
  required,
}: ReturnType<typeof describeSettings>[number]): string => {
  const byDefault = value === undefined ? (required ? ', required' : '') : `, default: ${value || 'none'}`
  return `${description} [${env}${byDefault}]`
}

/** Returns the output of `--help`: every setting with its flag, environment name and default. */
export const bridgeHelp = (): string => {
  const rows = describeSettings(bridgeSettings)
  const width = Math.max(...rows.map(({ flag }) => flag.length)) + 2
  const settings = rows.map(row => `  ${row.flag.padEnd(width)}${settingHelp(row)}`)
  return `Watch the extension objects of a seed and send an event for each object that needs work.

Settings, as flags or in the environment; a flag overrides the environment:
${settings.join('\n')}

${bridgeExample}`
}
