import { Option } from 'commander'

/** `--project` of all commands that read the definitions of a project. */
export const projectFlag = (): Option =>
  new Option(
    '--project <folder>',
    'the folder with package.json and functions/ (default: the project around the working directory, else Trellis itself)',
  )
