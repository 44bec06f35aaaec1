/** What one block of a stream sets. */
export interface Block {
  /** The position to resume after. */
  id?: string;
  /** The lines of `data`, joined. */
  data?: string;
  /** Milliseconds to wait before reconnecting. */
  retry?: number;
}

/** The longest block in characters: far more than any event has. */
const maxLength = 16 * 1024 * 1024;

/**
 * Creates a parser of Server-Sent Events (HTML Standard, section 9.2.6), which takes the text as it arrives.
 * @throws {RangeError} from the parser for a block that is too long
 */
export function blockParser(): (text: string) => Block[] {
  let rest = '';
  let block: Block = {};
  return (text) => {
    // A CR at the end may be the first half of a CRLF.
    const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    const complete: Block[] = [];
    for (const line of lines) {
      if (line === '') {
        complete.push(block);
        block = {};
        continue;
      }
      const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (name === 'data') block.data = block.data === undefined ? value : `${block.data}\n${value}`;
      else if (name === 'id' && !value.includes('\0')) block.id = value;
      else if (name === 'retry' && /^\d+$/.test(value)) block.retry = Number(value);
    }
    if (rest.length + (block.data?.length ?? 0) > maxLength) throw new RangeError('an event of the stream is too long');
    return complete;
  };
}
