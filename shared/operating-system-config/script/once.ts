const applied = '/var/lib/osc/provision-osc-applied'

/** A script that does nothing on a machine where it has come to its end before. Its first lines stay the first if they begin with `#`. */
export const once = (script: string): string => {
  const lines = script.split('\n')
  const first = lines.findIndex(line => !line.startsWith('#'))
  const head = first === -1 ? lines : lines.slice(0, first)
  return [
    ...head,
    `if [ -f "${applied}" ]; then`,
    '  echo "Provision OSC already applied, exiting..."',
    '  exit 0',
    'fi',
    '',
    ...lines.slice(head.length),
    '',
    'mkdir -p /var/lib/osc',
    `touch ${applied}`,
    '',
  ].join('\n')
}
