"""An event file as TensorBoard's own writer makes it: make_event_file.py OUT. Needs tensorboard."""
import sys

from tensorboard.compat.proto import event_pb2, summary_pb2
from tensorboard.summary.writer.record_writer import RecordWriter

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000002000000030802000000368849d6"
    "0000001049444154789c636060606060606000000005000108a4bb0d0000000049454e44ae426082")


def scalar(tag, value):
    return summary_pb2.Summary.Value(tag=tag, simple_value=value)


def main():
    with open(sys.argv[1], "wb") as file:
        writer = RecordWriter(file)
        start = event_pb2.SessionLog(status=event_pb2.SessionLog.START)
        image = summary_pb2.Summary.Image(height=3, width=2, colorspace=3, encoded_image_string=PNG)
        values = [
            event_pb2.Event(wall_time=1764300000.25, file_version="brain.Event:2"),
            event_pb2.Event(wall_time=1764300000.25, step=7, session_log=start),
            event_pb2.Event(wall_time=1764300001.5, step=7, summary=summary_pb2.Summary(
                value=[scalar("train/loss", 0.125), scalar("learning_rate/unet", 1e-4)])),
            event_pb2.Event(wall_time=1764300002, step=300, summary=summary_pb2.Summary(
                value=[summary_pb2.Summary.Value(tag="samples/1", image=image)])),
        ]
        for event in values:
            writer.write(event.SerializeToString(deterministic=True))


main()
