import LightRunner from 'jest-light-runner/child-process';
import { Tinypool } from 'tinypool';

// jest-light-runner 0.8.2 gives all its processes one channel. When a process asks for its settings, the answer goes to
// every process that runs a test and has not had it. One that does not listen yet loses the answer, asks in vain, and
// the run never ends. Here each process has a channel of its own, and gets the answer to its own question.
const { value: run } = Object.getOwnPropertyDescriptor(Tinypool.prototype, 'run');
Tinypool.prototype.run = function runWithOwnChannel(task, options) {
  const { channel: shared } = options;
  let listener;
  const channel = {
    onMessage(added) {
      listener = added;
    },
    postMessage(message) {
      shared.onMessage(listener);
      shared.postMessage(message);
    },
  };
  return run.call(this, task, { ...options, channel });
};

export default LightRunner;
