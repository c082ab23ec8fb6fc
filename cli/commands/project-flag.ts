import { Option } from 'commander'

/** `--project` of all commands that read the definitions of a project. */
export const projectFlag = (): Option =>
  new Option(
    '--project <folder>',
    'folder of the project (default: that around the working directory, else Trellis itself)',
  )
