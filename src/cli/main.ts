/** `npx urlwhere`: runs a command and ends the process with its exit code. */
import { adviseCommand } from './advise.ts'
import { helpOf, overviewOf, readArguments, type Command } from './arguments.ts'
import { checkCommand } from './check.ts'
import { explainCommand } from './explain.ts'
import { Failure, messageOf } from './failure.ts'
import { inspectCommand } from './inspect.ts'
import { version } from './library.ts'
import { pullCommand } from './pull.ts'
import { serveCommand } from './serve.ts'

const commands: Readonly<Record<string, Command>> = {
  check: checkCommand,
  advise: adviseCommand,
  inspect: inspectCommand,
  pull: pullCommand,
  explain: explainCommand,
  serve: serveCommand,
}

function commandOf(name: string): Command {
  if (Object.hasOwn(commands, name)) return commands[name]!
  throw new Failure(2, `there is no command ${name}. Commands: ${[...Object.keys(commands), 'help'].join(', ')}`)
}

function print(text: string): 0 {
  process.stdout.write(text)
  return 0
}

async function exitCodeOf([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined) throw new Failure(2, `a command is missing.\n\n${overviewOf(commands)}`)
  if (name === '--version') return print(`${version()}\n`)
  if (name === '--help' || name === '-h' || name === 'help') {
    const [topic] = rest
    return print(topic === undefined ? overviewOf(commands) : helpOf(topic, commandOf(topic)))
  }
  const command = commandOf(name)
  const { help, ...args } = readArguments(name, command, rest)
  return help ? print(helpOf(name, command)) : command.run(args)
}

// Some versions of Node warn that TypeScript and node:sqlite are experimental. The warning would mix with the output.
const listeners = process.listeners('warning')
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') for (const listener of listeners) listener(warning)
})
// `head` and similar programs close the pipe early.
process.stdout.on('error', () => process.exit(0))

const exitCode = await exitCodeOf(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`urlwhere: ${messageOf(error).trimEnd()}\n`)
  return error instanceof Failure ? error.exitCode : 2
})
// A connection pool in a module of the user keeps the process running, so the command ends it after the last write.
process.stdout.write('', () => process.exit(exitCode))
