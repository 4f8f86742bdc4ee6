<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_US" sourcelanguage="en_US">
<context>
    <name>mantissa::gui::CaptionBook</name>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) stay as another program left them.</source>
        <translation>
            <numerusform>%n caption stays as another program left it.</numerusform>
            <numerusform>%n captions stay as another program left them.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CaptionEditor</name>
    <message numerus="yes">
        <source>%n caption(s) changed.</source>
        <translation>
            <numerusform>%n caption changed.</numerusform>
            <numerusform>%n captions changed.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add tag to %n image(s)</source>
        <translation>
            <numerusform>Add tag to %n image</numerusform>
            <numerusform>Add tag to %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove tag from %n image(s)</source>
        <translation>
            <numerusform>Remove tag from %n image</numerusform>
            <numerusform>Remove tag from %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace tag in %n image(s)</source>
        <translation>
            <numerusform>Replace tag in %n image</numerusform>
            <numerusform>Replace tag in %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Add text to %n image(s)</source>
        <translation>
            <numerusform>Add text to %n image</numerusform>
            <numerusform>Add text to %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Sort tags of %n image(s)</source>
        <translation>
            <numerusform>Sort tags of %n image</numerusform>
            <numerusform>Sort tags of %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n selected image(s)</source>
        <translation>
            <numerusform>Of the %n selected image</numerusform>
            <numerusform>Of the %n selected images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of all %n image(s)</source>
        <translation>
            <numerusform>Of %n image</numerusform>
            <numerusform>Of all %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of the %n image(s) shown; the others stay as they are</source>
        <translation>
            <numerusform>Of the %n image shown; the others stay as they are</numerusform>
            <numerusform>Of the %n images shown; the others stay as they are</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Replace in %n image(s)</source>
        <translation>
            <numerusform>Replace in %n image</numerusform>
            <numerusform>Replace in %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Remove repeated tags from %n image(s)</source>
        <translation>
            <numerusform>Remove repeated tags from %n image</numerusform>
            <numerusform>Remove repeated tags from %n images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>\%1 names no group: the pattern has %n group(s).</source>
        <translation>
            <numerusform>\%1 names no group: the pattern has %n group.</numerusform>
            <numerusform>\%1 names no group: the pattern has %n groups.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ComparePage</name>
    <message numerus="yes">
        <source>%n setting(s) differ from the defaults.</source>
        <translation>
            <numerusform>%n setting differs from the defaults.</numerusform>
            <numerusform>%n settings differ from the defaults.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s) differ between the runs.</source>
        <translation>
            <numerusform>%n setting differs between the runs.</numerusform>
            <numerusform>%n settings differ between the runs.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DataPage</name>
    <message numerus="yes">
        <source>%n without a caption</source>
        <translation>
            <numerusform>%n without a caption</numerusform>
            <numerusform>%n without a caption</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n for validation</source>
        <translation>
            <numerusform>%n held out</numerusform>
            <numerusform>%n held out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>No duplicates among %n image(s).</source>
        <translation>
            <numerusform>No duplicates among %n image.</numerusform>
            <numerusform>No duplicates among %n images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) moved to the trash.</source>
        <translation>
            <numerusform>%n image moved to the trash.</numerusform>
            <numerusform>%n images moved to the trash.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n exact copies</source>
        <translation>
            <numerusform>%n exact copy</numerusform>
            <numerusform>%n exact copies</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n stood out</source>
        <translation>
            <numerusform>%n stood out</numerusform>
            <numerusform>%n stood out</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) written; Undo puts the old ones back.</source>
        <translation>
            <numerusform>%n caption written; Undo puts the old one back.</numerusform>
            <numerusform>%n captions written; Undo puts the old ones back.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) put back</source>
        <translation>
            <numerusform>%n caption put back</numerusform>
            <numerusform>%n captions put back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n new one(s) removed</source>
        <translation>
            <numerusform>%n new one removed</numerusform>
            <numerusform>%n new ones removed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n edited since and left</source>
        <translation>
            <numerusform>%n edited since and left</numerusform>
            <numerusform>%n edited since and left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) converted to UTF-8.</source>
        <translation>
            <numerusform>%n file converted to UTF-8.</numerusform>
            <numerusform>%n files converted to UTF-8.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::EngineClient</name>
    <message numerus="yes">
        <source>%n record(s) of layer statistics were dropped because the window was busy; open the run from History to see them all.</source>
        <translation>
            <numerusform>%n record of live health is left out here, because the window stood still; opened from History, the run shows them all.</numerusform>
            <numerusform>%n records of live health are left out here, because the window stood still; opened from History, the run shows them all.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::HistoryPage</name>
    <message numerus="yes">
        <source>%n run(s) deleted.</source>
        <translation>
            <numerusform>%n run deleted.</numerusform>
            <numerusform>%n runs deleted.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunFilters</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n cancelled</source>
        <translation>
            <numerusform>%n cancelled</numerusform>
            <numerusform>%n cancelled</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::PrecisionPanel</name>
    <message numerus="yes">
        <source>%n adjusted automatically</source>
        <translation>
            <numerusform>%n adjusted automatically</numerusform>
            <numerusform>%n adjusted automatically</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProbeView</name>
    <message numerus="yes">
        <source>Pin %n suggested layer(s)</source>
        <translation>
            <numerusform>Pin %n suggested layer</numerusform>
            <numerusform>Pin %n suggested layers</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::QueuePanel</name>
    <message numerus="yes">
        <source>%n waiting</source>
        <translation>
            <numerusform>%n waiting</numerusform>
            <numerusform>%n waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunQueue</name>
    <message numerus="yes">
        <source>%n epoch(s)</source>
        <translation>
            <numerusform>%n epoch</numerusform>
            <numerusform>%n epochs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RunStarter</name>
    <message numerus="yes">
        <source>%n s</source>
        <translation>
            <numerusform>%n s</numerusform>
            <numerusform>%n s</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n min</source>
        <translation>
            <numerusform>%n min</numerusform>
            <numerusform>%n min</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>All %n epoch(s) are done. Raise the number of epochs, then press Resume to continue the run.</source>
        <translation>
            <numerusform>The %n epoch is done. Raise the number of epochs, then press Resume to continue the run.</numerusform>
            <numerusform>All %n epochs are done. Raise the number of epochs, then press Resume to continue the run.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs were added to the queue.</source>
        <translation>
            <numerusform>%n run was added to the queue.</numerusform>
            <numerusform>%n runs were added to the queue.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SchemaForm</name>
    <message numerus="yes">
        <source>%n changed</source>
        <translation>
            <numerusform>%n changed</numerusform>
            <numerusform>%n changed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::Session</name>
    <message numerus="yes">
        <source>Resume continues from its checkpoint of step %1; %n later step(s) are trained again.</source>
        <translation>
            <numerusform>Resume continues from its checkpoint of step %1; the step after it is trained again.</numerusform>
            <numerusform>Resume continues from its checkpoint of step %1; %n later steps are trained again.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SetupPage</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ImageTrash</name>
    <message numerus="yes">
        <source>Move %n image(s) to the trash, with captions and masks?</source>
        <translation>
            <numerusform>Move %n image to the trash, with its caption and mask?</numerusform>
            <numerusform>Move %n images to the trash, with their captions and masks?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>And %n more.</source>
        <translation>
            <numerusform>And %n more.</numerusform>
            <numerusform>And %n more.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::CloseGuard</name>
    <message numerus="yes">
        <source>%n run(s) are in progress.</source>
        <translation>
            <numerusform>%n run is in progress.</numerusform>
            <numerusform>%n runs are in progress.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) can&apos;t be written and will be lost.</source>
        <translation>
            <numerusform>%n caption can&apos;t be written and will be lost.</numerusform>
            <numerusform>%n captions can&apos;t be written and will be lost.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue. They start when the run that continues without the window has ended and the studio is open again; if you stop it, they wait until you start the queue.</source>
        <translation>
            <numerusform>%n run waits in the queue. It starts when the run that continues without the window has ended and the studio is open again; if you stop it, the queue waits until you start it.</numerusform>
            <numerusform>%n runs wait in the queue. They start when the run that continues without the window has ended and the studio is open again; if you stop it, they wait until you start the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) wait in the queue until you start it again.</source>
        <translation>
            <numerusform>%n run waits in the queue until you start it again.</numerusform>
            <numerusform>%n runs wait in the queue until you start it again.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ProcessCard</name>
    <message numerus="yes">
        <source>%n card(s)</source>
        <translation>
            <numerusform>%n card</numerusform>
            <numerusform>%n cards</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n process(es)</source>
        <translation>
            <numerusform>%n process</numerusform>
            <numerusform>%n processes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::DatasetModel</name>
    <message numerus="yes">
        <source>The one to keep of a group: the largest, captioned, lossless; %n image(s) are copies of it.</source>
        <translation>
            <numerusform>The one to keep of a group: the largest, captioned, lossless; %n image is a copy of it.</numerusform>
            <numerusform>The one to keep of a group: the largest, captioned, lossless; %n images are copies of it.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ModelPicker</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n other file(s) passed over</source>
        <translation>
            <numerusform>%n other file passed over</numerusform>
            <numerusform>%n other files passed over</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::RecodeDialog</name>
    <message numerus="yes">
        <source>Convert %n file(s) to UTF-8</source>
        <translation>
            <numerusform>Convert %n file to UTF-8</numerusform>
            <numerusform>Convert %n files to UTF-8</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::ResultView</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::SweepDialog</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>mantissa::gui::TaggerDialog</name>
    <message numerus="yes">
        <source>Caption %n shown image(s)</source>
        <translation>
            <numerusform>Caption %n shown image</numerusform>
            <numerusform>Caption %n shown images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Caption %n selected image(s)</source>
        <translation>
            <numerusform>Caption %n selected image</numerusform>
            <numerusform>Caption %n selected images</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) kept</source>
        <translation>
            <numerusform>%n caption kept</numerusform>
            <numerusform>%n captions kept</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n read-only</source>
        <translation>
            <numerusform>%n read-only</numerusform>
            <numerusform>%n read-only</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Write %n caption(s)</source>
        <translation>
            <numerusform>Write %n caption</numerusform>
            <numerusform>Write %n captions</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Captioned %n image(s).</source>
        <translation>
            <numerusform>Captioned %n image.</numerusform>
            <numerusform>Captioned %n images.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) can&apos;t be read.</source>
        <translation>
            <numerusform>%n image can&apos;t be read.</numerusform>
            <numerusform>%n images can&apos;t be read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n caption(s) aren&apos;t written. Close again to discard them.</source>
        <translation>
            <numerusform>%n caption isn&apos;t written. Close again to discard it.</numerusform>
            <numerusform>%n captions aren&apos;t written. Close again to discard them.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n image(s) got no caption.</source>
        <translation>
            <numerusform>%n image got no caption.</numerusform>
            <numerusform>%n images got no caption.</numerusform>
        </translation>
    </message>
</context>
</TS>
