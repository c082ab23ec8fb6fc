import { Command } from 'commander'

/** The command without its settings, for the list of commands: the settings need the schemas of the bridge. */
export const bridgeAbout = (): Command =>
  new Command('bridge').description(
    'Watch the extension objects of a seed and send an event for each object that needs work.',
  )
