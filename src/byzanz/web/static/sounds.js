// Short sounds made of tones and noise; off until the player turns them on.
let audio = null;

const on = () => localStorage.getItem("sound") === "on";

function tone(pitch, at, length, loudness = 0.12, shape = "sine") {
  const start = audio.currentTime + at;
  const voice = new OscillatorNode(audio, { type: shape, frequency: pitch });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, start);
  gain.gain.linearRampToValueAtTime(loudness, start + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0005, start + length);
  voice.connect(gain).connect(audio.destination);
  voice.start(start);
  voice.stop(start + length);
}

// The sound of a sliding card: short filtered noise.
function slide(at, length = 0.09, pitch = 2600, loudness = 0.16) {
  const samples = Math.ceil(audio.sampleRate * length);
  const buffer = new AudioBuffer({ length: samples, sampleRate: audio.sampleRate });
  const data = buffer.getChannelData(0);
  for (let i = 0; i < samples; i += 1) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 2;
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const band = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.9 });
  noise.connect(band).connect(new GainNode(audio, { gain: loudness })).connect(audio.destination);
  noise.start(audio.currentTime + at);
}

const run = (pitches, step, length, loudness, shape) =>
  pitches.forEach((pitch, place) => tone(pitch, place * step, length, loudness, shape));

const SOUNDS = {
  card() { slide(0); },
  bid() { slide(0, 0.07, 1800); tone(196, 0.05, 0.12, 0.1, "triangle"); },
  pass() { tone(147, 0, 0.14, 0.07, "triangle"); },
  win() { run([392, 494, 587, 784], 0.09, 0.3, 0.1, "triangle"); },
  sale() { run([1568, 2093, 2637], 0.07, 0.35, 0.06); slide(0.02, 0.05, 5200, 0.1); },
  turn() { run([523.25, 783.99], 0.14, 0.4, 0.12); },
  round() { tone(98, 0, 1.1, 0.2); tone(147.5, 0, 0.9, 0.09); tone(293, 0.01, 0.6, 0.05); },
  victory() { run([392, 523, 659, 784, 1047], 0.13, 0.5, 0.1, "triangle"); run([262, 330, 392], 0.26, 0.8, 0.06); },
  tick() { tone(1200, 0, 0.04, 0.05, "square"); },
};

export function sound(name) {
  if (!on() || document.hidden && name !== "turn") return;
  audio ||= new AudioContext();
  if (audio.state === "suspended") audio.resume().catch(() => {});
  SOUNDS[name]();
}

document.addEventListener("byzanz:sound", () => sound("turn"));
