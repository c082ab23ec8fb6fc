/**
 * Takes `send` of a process that has an IPC channel. A function that sends a message, such as `process.send('ready')`,
 * would otherwise speak to the command in the name of the program.
 */
export const takeSend = (channel: NodeJS.Process): NodeJS.Process['send'] => {
  const send = channel.send?.bind(channel)
  Reflect.deleteProperty(channel, 'send')
  return send
}
