/* SPDX-License-Identifier: BSD-3-Clause
 *
 * fast_dds.cpp: a node of another maker of DDS, Fast DDS, for fast_dds.sh. It publishes clouds of two clusters at /points, and
 * listens to what clump publishes. Types are only names here, too: messages are bytes in CDR. Everything stays on the loopback
 * interface.
 *
 *     fast_dds DOMAIN     exit status 0: each topic was heard five times, and said what it should
 */
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;

namespace
{

using bytes = std::vector<unsigned char>;

/* A type that is only a name. */
class raw_type : public fast::TopicDataType
{
  public:
    explicit raw_type(const char *name)
    {
        setName(name);
        m_typeSize = 16 << 20;
        m_isGetKeyDefined = false;
    }
    bool serialize(void *data, rtps::SerializedPayload_t *to) override
    {
        const bytes &from = *static_cast<bytes *>(data);
        if (from.size() > to->max_size) return false;
        std::memcpy(to->data, from.data(), from.size());
        to->length = static_cast<uint32_t>(from.size());
        to->encapsulation = CDR_LE;
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t *from, void *data) override
    {
        static_cast<bytes *>(data)->assign(from->data, from->data + from->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void *data) override
    {
        return [data] { return static_cast<uint32_t>(static_cast<bytes *>(data)->size()); };
    }
    void *createData() override
    {
        return new bytes;
    }
    void deleteData(void *data) override
    {
        delete static_cast<bytes *>(data);
    }
    bool getKey(void *, rtps::InstanceHandle_t *, bool) override
    {
        return false;
    }
};

/* --- CDR ------------------------------------------------------------------------------------------------ */

void put(bytes &to, const void *from, size_t size, size_t align)
{
    while ((to.size() - 4) % align) to.push_back(0);
    const auto *const first = static_cast<const unsigned char *>(from);
    to.insert(to.end(), first, first + size);
}

void put_u32(bytes &to, uint32_t value)
{
    put(to, &value, 4, 4);
}

void put_text(bytes &to, const char *text)
{
    put_u32(to, static_cast<uint32_t>(std::strlen(text) + 1));
    put(to, text, std::strlen(text) + 1, 1);
}

/* A cloud with the layout of a Velodyne driver: x y z, four bytes of padding, intensity. */
bytes make_cloud()
{
    enum { POINTS = 20000, STEP = 20 };
    bytes to = {0, 1, 0, 0};
    put_u32(to, 1700000000);
    put_u32(to, 5);
    put_text(to, "velodyne");
    put_u32(to, 1);
    put_u32(to, POINTS);
    static const struct {
        const char *name;
        uint32_t offset;
    } fields[] = {{"x", 0}, {"y", 4}, {"z", 8}, {"intensity", 16}};
    put_u32(to, 4);
    for (const auto &field : fields) {
        put_text(to, field.name);
        put_u32(to, field.offset);
        to.push_back(7);
        put_u32(to, 1);
    }
    to.push_back(0);
    put_u32(to, STEP);
    put_u32(to, STEP * POINTS);
    put_u32(to, STEP * POINTS);
    for (int i = 0; i < POINTS; i++) {
        const float place = i % 2 ? 30.0f : 0.0f, step = static_cast<float>(i / 2);
        const float values[5] = {place + step * 0.0001f, step * 0.0002f, 1, 0, 0.5f};
        put(to, values, sizeof values, 1);
    }
    to.push_back(1);
    return to;
}

/* --- what is heard ---------------------------------------------------------------------------------------- */

struct expected {
    const char *topic, *type, *contains;
    std::atomic<int> heard;
};

expected topics[] = {{"rt/clump/points", "sensor_msgs::msg::dds_::PointCloud2_", "label", {0}},
                     {"rt/clump/markers", "visualization_msgs::msg::dds_::MarkerArray_", "velodyne", {0}},
                     {"rt/clump/detections", "vision_msgs::msg::dds_::Detection3DArray_", "object", {0}},
                     {"ros_discovery_info", "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_", "clump", {0}}};

bool contains(const bytes &text, const char *words)
{
    const size_t size = std::strlen(words);
    for (size_t i = 0; i + size <= text.size(); i++)
        if (std::memcmp(text.data() + i, words, size) == 0) return true;
    return false;
}

class listener : public fast::DataReaderListener
{
  public:
    explicit listener(expected &of) : of_(of) {}
    void on_data_available(fast::DataReader *reader) override
    {
        bytes message;
        fast::SampleInfo info;
        while (reader->take_next_sample(&message, &info) == ReturnCode_t::RETCODE_OK)
            if (info.valid_data && message.size() > 8 && contains(message, of_.contains)) of_.heard++;
    }

  private:
    expected &of_;
};

/* --- the node ------------------------------------------------------------------------------------------- */

/* Returns a participant that sends to 127.0.0.1 only, without multicast. */
fast::DomainParticipant *make_participant(uint32_t domain)
{
    fast::DomainParticipantQos qos;
    auto transport = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    transport->interfaceWhiteList.push_back("127.0.0.1");
    transport->receiveBufferSize = 4 << 20;
    qos.transport().use_builtin_transports = false;
    qos.transport().user_transports.push_back(transport);
    rtps::Locator_t peer;
    rtps::IPLocator::setIPv4(peer, 127, 0, 0, 1);
    peer.port = 0; /* those of the first participants of the domain */
    qos.wire_protocol().builtin.initialPeersList.push_back(peer);
    rtps::Locator_t own;
    rtps::IPLocator::setIPv4(own, 127, 0, 0, 1);
    own.port = 0;
    qos.wire_protocol().builtin.metatrafficUnicastLocatorList.push_back(own);
    return fast::DomainParticipantFactory::get_instance()->create_participant(domain, qos);
}

fast::Topic *make_topic(fast::DomainParticipant *participant, const char *name, const char *type)
{
    fast::TypeSupport support(new raw_type(type));
    support.register_type(participant);
    return participant->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
}

fast::DataWriter *make_writer(fast::DomainParticipant *participant)
{
    fast::DataWriterQos qos;
    qos.reliability().kind = fast::BEST_EFFORT_RELIABILITY_QOS;
    qos.publish_mode().kind = fast::ASYNCHRONOUS_PUBLISH_MODE;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    fast::Publisher *const publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    return publisher->create_datawriter(make_topic(participant, "rt/points", "sensor_msgs::msg::dds_::PointCloud2_"),
                                        qos);
}

void listen(fast::DomainParticipant *participant, expected &to)
{
    fast::DataReaderQos qos;
    qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    if (std::strcmp(to.topic, "ros_discovery_info") == 0) qos.durability().kind = fast::TRANSIENT_LOCAL_DURABILITY_QOS;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    fast::Subscriber *const subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
    subscriber->create_datareader(make_topic(participant, to.topic, to.type), qos, new listener(to));
}

bool all_heard()
{
    for (const expected &topic : topics)
        if (topic.heard < (std::strcmp(topic.topic, "ros_discovery_info") == 0 ? 1 : 5)) return false;
    return true;
}

} // namespace

int main(int argc, char **argv)
{
    fast::DomainParticipant *const participant =
        argc == 2 ? make_participant(static_cast<uint32_t>(std::strtoul(argv[1], nullptr, 10))) : nullptr;
    if (!participant) return 2;
    fast::DataWriter *const writer = make_writer(participant);
    for (expected &topic : topics) listen(participant, topic);
    bytes cloud = make_cloud();
    int sent = 0;
    for (; sent < 600 && !all_heard(); sent++) {
        writer->write(&cloud);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    std::printf("sent %d clouds of %zu bytes; heard", sent, cloud.size());
    for (const expected &topic : topics) std::printf(" %s %d", topic.topic, topic.heard.load());
    std::printf("\n");
    std::fflush(stdout);
    std::_Exit(all_heard() ? 0 : 1); /* the listeners of the library may still run */
}
